import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { textLines } from './text-log.ts'

export type Log = Logger

/**
 * What goes into them is chosen where they are written; the list below is the second fence, for the day
 * a log line holds an object with more fields than expected.
 */
const NEVER_LOGGED = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'email',
  'body',
]

/** As `LOG_FORMAT` names them. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** JSON goes to stdout as pino writes it by itself; text is for people who watch. Null: text if stdout is a terminal. */
export function standardOutput(format: LogFormat | null): DestinationStream | undefined {
  return textIsWanted(format) ? textLines(destination({ dest: STDOUT, sync: true }), isatty(STDOUT)) : undefined
}

export function textIsWanted(format: LogFormat | null): boolean {
  return format === null ? isatty(STDOUT) : format === 'text'
}

const STDOUT = 1

export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: NEVER_LOGGED.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '(hidden)' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
