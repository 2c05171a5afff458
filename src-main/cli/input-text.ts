/**
 * Standard input as text: whole, or line by line as it comes. Bytes that are no UTF-8 are refused, since what would be
 * written is not what was sent.
 */
import { limits } from '@shared/limits'
import { EngineError } from '../engine/storage/errors'

export type InputLine = {
  /** From 1. */
  number: number
  /** Without its line feed. */
  text: string
}

const LF = 0x0a

/** The lines that are not blank, each as soon as it is whole. Throws `too-large` and `damaged`. */
export async function* inputLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number = limits.lineBytes,
): AsyncGenerator<InputLine> {
  let number = 1
  let parts: Uint8Array[] = []
  let bytes = 0
  const add = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes > maxBytes) throw tooLarge(`Line ${number} of standard input`, maxBytes)
    if (part.length > 0) parts.push(part)
  }
  const take = (): InputLine => {
    const line = { number, text: decoded(parts, `Line ${number} of standard input`) }
    number++
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of input) {
    let from = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line.text.trim() !== '') yield line
    }
    add(chunk.subarray(from))
  }
  const last = take()
  if (last.text.trim() !== '') yield last
}

/** All of it, exactly. Throws `too-large` and `damaged`. */
export async function wholeInput(input: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge('Standard input', maxBytes)
    parts.push(chunk)
  }
  return decoded(parts, 'Standard input')
}

function decoded(parts: readonly Uint8Array[], what: string): string {
  const bytes = Buffer.concat(parts)
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return text
  throw new EngineError('damaged', `${what} is not text in UTF-8; nothing of it was written.`)
}

function tooLarge(what: string, maxBytes: number): EngineError {
  return new EngineError('too-large', `${what} is longer than ${maxBytes} bytes; nothing of it was written.`)
}
