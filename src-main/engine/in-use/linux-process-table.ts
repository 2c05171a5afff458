/**
 * Processes of a Linux machine, read from /proc. Thin: reads and parses, decides nothing.
 * What belongs to another user reads as empty or unknown unless we are root; a process that ends meanwhile is left out.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { WorkContext } from '../environment'
import { isOmpProcess } from './omp-process'
import { processIsAlive } from './process-liveness'
import type { OpenFile, ProcessInfo, ProcessScan, ProcessTable } from './process-table'

/** Kernel's clock ticks per second as shown to programs (USER_HZ): 100 on every architecture Node runs on. */
const TICKS_PER_SECOND = 100
const PROCESSES_PER_BREATH = 16

export function linuxProcessTable(proc = '/proc'): ProcessTable {
  return {
    scan: work => scan(proc, work),
    isAlive: processIsAlive,
    startOf: pid => {
      const ticks = startTicks(proc, pid)
      // Ticks count from the start of the machine, so the boot is part of it.
      return ticks === null ? null : `${bootId(proc)}:${ticks}`
    },
    startedAt: pid => {
      const ticks = startTicks(proc, pid)
      const boot = bootSeconds(proc)
      return ticks === null || boot === null ? null : (boot + ticks / TICKS_PER_SECOND) * 1000
    },
  }
}

async function scan(proc: string, work: WorkContext): Promise<ProcessScan> {
  const names = quietly(() => fs.readdirSync(proc))
  if (names === undefined) return { known: false, reason: `${proc} cannot be read.` }
  const processes: ProcessInfo[] = []
  let seen = 0
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    if (seen++ % PROCESSES_PER_BREATH === 0) await work.breathe()
    const directory = path.join(proc, name)
    const info = readProcess(directory, Number(name))
    if (info === undefined) continue
    processes.push({ ...info, openFiles: info.openFiles ?? [] })
  }
  return { known: true, processes }
}

type RawProcess = Omit<ProcessInfo, 'openFiles'> & { openFiles: OpenFile[] | null }

function readProcess(directory: string, pid: number): RawProcess | undefined {
  const commandLine = quietly(() => fs.readFileSync(path.join(directory, 'cmdline'), 'utf8'))
  const stat = quietly(() => fs.readFileSync(path.join(directory, 'stat'), 'utf8'))
  if (commandLine === undefined || stat === undefined) return undefined
  const facts = parseStat(stat)
  // A zombie has ended: it holds nothing and writes nothing.
  if (facts === null || facts.state === 'Z' || facts.state === 'X') return undefined
  const input = quietly(() => fs.readlinkSync(path.join(directory, 'fd', '0')))
  const openFiles = readOpenFiles(path.join(directory, 'fd'))
  const controlling = terminalName(facts.terminal)
  const argv = parseCommandLine(commandLine)
  // Only an omp's terminal is asked for; reading every environment would double the work.
  const wanted = isOmpProcess({ name: facts.name, argv })
  const inputIsTerminal = input !== undefined && /^\/dev\/(pts\/\d+|tty\w*|console)$/.test(input)
  return {
    pid,
    name: facts.name,
    argv,
    uid: quietly(() => fs.statSync(directory).uid) ?? null,
    // A folder that was removed under its process reads with this ending; its path still tells where it was.
    cwd: quietly(() => fs.readlinkSync(path.join(directory, 'cwd')).replace(/ \(deleted\)$/, '')) ?? null,
    // Descriptors that can be read tell for certain; otherwise the controlling terminal is the best guess.
    terminal: openFiles === null ? controlling : inputIsTerminal ? input : null,
    terminalKnown: openFiles !== null,
    env: wanted
      ? parseEnvironment(quietly(() => fs.readFileSync(path.join(directory, 'environ'), 'utf8')))
      : null,
    openFiles,
  }
}

/** Regular files behind the descriptors, or null when they may not be read. */
function readOpenFiles(directory: string): OpenFile[] | null {
  const names = quietly(() => fs.readdirSync(directory))
  if (names === undefined) return null
  const files: OpenFile[] = []
  for (const name of names) {
    const link = path.join(directory, name)
    const target = quietly(() => fs.readlinkSync(link))
    if (target === undefined || !target.startsWith('/') || /^\/(dev|proc|sys)\//.test(target)) continue
    const stat = quietly(() => fs.statSync(link, { bigint: true }))
    if (stat?.isFile() === true)
      files.push({ dev: stat.dev.toString(), ino: stat.ino.toString(), path: target })
  }
  return files
}

/** Arguments of a `/proc/<pid>/cmdline`. */
export function parseCommandLine(text: string): string[] {
  const args = text.split('\0')
  // The text ends with NUL; a program that sets its own title may leave several.
  while (args.length > 0 && args[args.length - 1] === '') args.pop()
  return args
}

export function parseEnvironment(text: string | undefined): Record<string, string> | null {
  if (text === undefined) return null
  const env: Record<string, string> = {}
  for (const pair of text.split('\0')) {
    const at = pair.indexOf('=')
    if (at > 0) env[pair.slice(0, at)] = pair.slice(at + 1)
  }
  return env
}

export type StatFacts = { name: string; state: string; terminal: number; startTicks: number }

/** The fields of `/proc/<pid>/stat` that are used. The name may hold blanks and brackets: it ends at the last one. */
export function parseStat(text: string): StatFacts | null {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 0 || close < open) return null
  const rest = text.slice(close + 2).split(' ')
  // Counted from the state, which is field 3: tty_nr is field 7, starttime field 22.
  const [state, terminal, ticks] = [rest[0], Number(rest[4]), Number(rest[19])]
  if (state === undefined || !Number.isFinite(terminal) || !Number.isFinite(ticks)) return null
  return { name: text.slice(open + 1, close), state, terminal, startTicks: ticks }
}

/** Device path of a terminal's number, or null when it is none or of a kind we cannot name. */
export function terminalName(device: number): string | null {
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  // Majors 136 to 143 are pseudo terminals, 4 the virtual consoles (from 64 on: serial lines).
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`
  if (major === 4) return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`
  return null
}

function startTicks(proc: string, pid: number): number | null {
  const text = quietly(() => fs.readFileSync(path.join(proc, String(pid), 'stat'), 'utf8'))
  return text === undefined ? null : (parseStat(text)?.startTicks ?? null)
}

function bootId(proc: string): string {
  const text = quietly(() => fs.readFileSync(path.join(proc, 'sys/kernel/random/boot_id'), 'utf8'))
  return text?.trim() ?? String(bootSeconds(proc) ?? '')
}

function bootSeconds(proc: string): number | null {
  const text = quietly(() => fs.readFileSync(path.join(proc, 'stat'), 'utf8'))
  const match = text === undefined ? null : /^btime (\d+)$/m.exec(text)
  return match === null ? null : Number(match[1])
}

/** What cannot be read is unknown: gone meanwhile, or another user's. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
