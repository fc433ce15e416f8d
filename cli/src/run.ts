import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { readArguments } from './arguments.ts'
import type { Command, CommonValues, Context } from './command.ts'
import { COMMANDS } from './commands/table.ts'
import { Connection, type ConnectionParts, findConnection } from './connection/connection.ts'
import { explained, type Retry, retryText } from './connection/explain.ts'
import { readEnvironment } from './environment.ts'
import { EXIT, type ExitCode, type Failure, failureOf } from './failure.ts'
import { commandHelp, generalHelp } from './help.ts'
import { Printer } from './printer.ts'

/** Runs one command line to its end. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  const environment = readEnvironment()
  const earlyOptions = readEarlyOptions(argv)
  const printerOf = (json: boolean, colour: boolean) =>
    new Printer({ stdout: process.stdout, stderr: process.stderr, colour, json, columns: environment.columns })
  const colour = !environment.noColor && !earlyOptions.noColor
  const printer = printerOf(earlyOptions.json, colour)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop)
  const connected: { parts?: ConnectionParts } = {}
  try {
    const { command, values, words } = readArguments(argv, COMMANDS)
    if (command === null || values['help'] === true) {
      printer.raw(command === null ? generalHelp(COMMANDS) : commandHelp(command))
      return EXIT.ok
    }
    const context = {
      values: values as Context['values'],
      words,
      printer,
      environment,
      directory: process.cwd(),
      signal: stopping.signal,
      connect: async () => {
        const parts = await findConnection({ values: values as CommonValues, environment, directory: process.cwd() })
        connected.parts = parts
        if (parts.source !== 'profile') printer.note(printer.style('dim', parts.remark))
        const onRetry = (retry: Retry) =>
          printer.note(printer.style('dim', retryText(parts.baseUrl, retry, new Date())))
        return new Connection(parts, onRetry)
      },
    }
    return (await Promise.race([command.run(context), untilStopped(command, stopping.signal)])) ?? EXIT.ok
  } catch (error) {
    if (stopping.signal.aborted) return EXIT.interrupted
    const { parts } = connected
    const failure = parts === undefined ? failureOf(error) : explained(error, parts.baseUrl, parts.remedies)
    show(failure, printer, earlyOptions.debug)
    return failure.exit
  }
}

/**
 * How long a command that `finishes` may work after Ctrl-C. The limit is needed because the service may not respond.
 */
const FINISH_MS = 10_000

/** Resolves after Ctrl-C, SIGTERM or SIGHUP. For a command that `finishes`, it resolves FINISH_MS later. */
async function untilStopped({ onStop }: Command, signal: AbortSignal): Promise<ExitCode> {
  await once(signal, 'abort')
  if (onStop === 'finishes') await wait(FINISH_MS)
  return onStop === 'succeeds' ? EXIT.ok : EXIT.interrupted
}

/** Reads the output options before the command line is parsed, because they also apply to an error of the parsing. */
function readEarlyOptions(argv: readonly string[]) {
  const has = (name: string) => argv.includes(name)
  return { json: has('--json'), noColor: has('--no-color'), debug: has('--debug') }
}

function show(failure: Failure, printer: Printer, debug: boolean): void {
  const { message, remedy, type, requestId, cause, stack } = failure
  if (printer.json) {
    const error = { type, message, ...(remedy === undefined ? {} : { remedy }), exit_code: failure.exit }
    printer.note(JSON.stringify({ error: requestId === undefined ? error : { ...error, request_id: requestId } }))
  } else {
    printer.note(`${printer.style('red', 'error:')} ${message}${remedy === undefined ? '' : ` ${remedy}`}`)
    if (requestId !== undefined) printer.note(printer.style('dim', `request ${requestId}`))
  }
  if (!debug) return
  if (stack !== undefined) printer.note(stack)
  if (cause instanceof Error && cause.stack !== undefined) printer.note(`caused by ${cause.stack}`)
}
