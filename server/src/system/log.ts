import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/**
 * JSON lines. What goes into them is chosen where they are written; the list below is the second fence, for the day
 * somebody logs an object that holds more than they thought.
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

export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: NEVER_LOGGED.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '(hidden)' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
