/** The exit codes. docs/command-line.md lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  credential: 3,
  notFound: 4,
  unreachable: 5,
  differs: 6,
  /** The exit code that a shell uses for a program ended by Ctrl-C. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export type FailureDetails = {
  readonly exit?: ExitCode
  /** A sentence that says what the person can do. */
  readonly remedy?: string
  /** The API's error type, or a type of the command line. `--json` shows it. */
  readonly type?: string
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** The command failed. The message says why, and the remedy says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: ExitCode
  readonly remedy: string | undefined
  readonly type: string
  readonly requestId: string | undefined

  constructor(
    sentence: string,
    { exit = EXIT.failed, remedy, type = 'failed', requestId, cause }: FailureDetails = {},
  ) {
    super(sentence, cause === undefined ? undefined : { cause })
    this.exit = exit
    this.remedy = remedy
    this.type = type
    this.requestId = requestId
  }
}

export function usageFailure(sentence: string, remedy?: string): Failure {
  return new Failure(sentence, { exit: EXIT.usage, type: 'usage', ...(remedy === undefined ? {} : { remedy }) })
}

/** Converts an error to a Failure. An unexpected error is shown by its message, and its stack trace only with `--debug`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new Failure(`Something unexpected happened: ${message}`, {
    remedy: 'Run the command again with --debug for a stack trace.',
    type: 'unexpected',
    cause: error,
  })
}
