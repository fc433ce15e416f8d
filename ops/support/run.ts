import { Machine } from './machine.ts'

/** Exit codes: 0 if all checks passed, 1 if a check or the run failed, 130 after Ctrl-C. */
const EXIT_FAILED = 1
const EXIT_INTERRUPTED = 130

/**
 * Runs the work on a machine of its own, and stops and removes everything afterwards: also on a failure, Ctrl-C and SIGTERM. The
 * work resolves to true if all checks passed.
 */
export async function onMachine(name: string, work: (machine: Machine) => Promise<boolean>): Promise<never> {
  const machine = await Machine.open(name)
  const interrupt = () => {
    process.stderr.write('\nStopping everything that was started …\n')
    void machine.close().finally(() => process.exit(EXIT_INTERRUPTED))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  let passed = false
  try {
    passed = await work(machine)
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  } finally {
    if (!passed) process.stderr.write(`The logs of this run are in ${await machine.saveLogs()}\n`)
    await machine.close()
  }
  process.exit(passed ? 0 : EXIT_FAILED)
}

/** Prints a line on stderr, with the time since the start of the process. So stdout has only the table. */
export function logStep(text: string): void {
  process.stderr.write(`${(performance.now() / 1_000).toFixed(1).padStart(7)} s  ${text}\n`)
}
