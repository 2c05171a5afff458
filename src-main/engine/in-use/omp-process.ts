/** Telling an omp process from others, and the terminal it runs in. Pure. */
import { terminalIdOf } from '../breadcrumbs/terminal-id'
import type { ProcessInfo } from './process-table'

/** Whether this is an omp: started as `omp` (or its .js or .ts), or from inside its package. */
export function isOmpProcess(process: Pick<ProcessInfo, 'name' | 'argv'>): boolean {
  if (process.name === 'omp') return true
  const [program, ...rest] = process.argv
  if (program === undefined) return false
  // Interpreters take options before the script: `bun --smol /path/omp`.
  const script = rest.find(argument => !argument.startsWith('-'))
  return isOmpPath(program) || isOmpPath(rest[0]) || isOmpPath(script)
}

function isOmpPath(argument: string | undefined): boolean {
  if (argument === undefined) return false
  const parts = argument.split(/[/\\]/)
  const last = parts[parts.length - 1] ?? ''
  return /^omp(\.(js|mjs|cjs|ts|exe))?$/i.test(last) || parts.slice(0, -1).includes('pi-coding-agent')
}

/** A program's name for people: `omp` when it is one, else what the system calls it. */
export function programName(process: Pick<ProcessInfo, 'name' | 'argv'>): string {
  if (isOmpProcess(process)) return 'omp'
  const program = process.argv[0]?.split(/[/\\]/).pop() ?? ''
  return program === '' ? process.name : program
}

/** The terminal id under which this process keeps its breadcrumb, or null when it keeps none or cannot be told. */
export function terminalOf(process: ProcessInfo): string | null {
  return terminalIdOf({ terminal: process.terminal, env: process.env ?? {} })
}
