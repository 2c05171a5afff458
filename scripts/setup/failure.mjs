/** Something the user can mend: shown as its message alone, without a stack trace. */
export class Failure extends Error {
  /**
   * @param {string} message what is wrong and the one thing to do about it
   * @param {number} exitCode 1, or 2 for wrong usage
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a script's main function; a Failure ends the process with its message, anything else with its stack. */
export async function runMain(main) {
  try {
    const code = await main(process.argv.slice(2))
    if (typeof code === 'number') process.exitCode = code
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`)
    process.exitCode = error instanceof Failure ? error.exitCode : 1
  }
}
