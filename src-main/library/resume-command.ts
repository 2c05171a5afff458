/** The command that makes omp resume exactly this session. Pure. */
import type { Environment } from '../engine/environment'
import { isDefaultAgentDir } from '../engine/layout/agent-directories'
import type { LibraryRoot } from './roots'

export type ResumeInput = { file: string; cwd: string | null; cwdPresent: boolean; root: LibraryRoot }

/** `cd FOLDER && omp --resume FILE`, with profile or agent directory when they are not the default. */
export function resumeCommand(
  env: Environment,
  input: ResumeInput,
): { command: string; note: string | null } {
  const { file, cwd, cwdPresent, root } = input
  const quote = env.platform === 'win32' ? quoteForWindows : quoteForShell
  const profile =
    root.kind === 'profile'
      ? /[/\\]profiles[/\\]([^/\\]+)[/\\]agent$/.exec(root.layout.agentDir)?.[1]
      : undefined
  const omp =
    profile !== undefined
      ? `omp --profile ${quote(profile)}`
      : root.kind === 'pi'
        ? 'pi'
        : isDefaultAgentDir(env, root.layout.agentDir)
          ? 'omp'
          : `${assignment(env, root.layout.agentDir)}omp`
  const resume = `${omp} --resume ${quote(file)}`
  if (cwd === null)
    return { command: resume, note: 'The session names no folder; omp starts in the present one.' }
  const command = `cd ${quote(cwd)} && ${resume}`
  return { command, note: cwdPresent ? null : `The folder ${cwd} is not there. Re-root the session first.` }
}

function assignment(env: Environment, agentDir: string): string {
  return env.platform === 'win32'
    ? `set "PI_CODING_AGENT_DIR=${agentDir}" && `
    : `PI_CODING_AGENT_DIR=${quoteForShell(agentDir)} `
}

/** One word of a POSIX shell; plain words stay as they are. A leading dash cannot be taken for an option. */
function quoteForShell(word: string): string {
  const safe = word.startsWith('-') ? `./${word}` : word
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`
}

function quoteForWindows(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
