import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { activeSpan } from './tracing.ts'

export type Log = Logger

/**
 * Callers choose what they log. This list is a second safeguard, in case a logged object has more fields than expected.
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

/** The values of `LOG_FORMAT`. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/**
 * pino itself writes JSON to stdout. Text is for people at a terminal. Null means text if stdout is a terminal, and JSON
 * otherwise.
 */
export function standardOutput(format: LogFormat | null): DestinationStream | undefined {
  return textIsWanted(format) ? textLines(destination({ dest: STDOUT, sync: true }), isatty(STDOUT)) : undefined
}

export function textIsWanted(format: LogFormat | null): boolean {
  return format === null ? isatty(STDOUT) : format === 'text'
}

const STDOUT = 1

/** `withTraces`: each log line that is written within a sampled trace has the trace's id. */
export function openLog(level: string, destination?: DestinationStream, withTraces = false): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    ...(withTraces ? { mixin: traceFields } : {}),
    redact: { paths: NEVER_LOGGED.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '(hidden)' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

function traceFields(): { trace_id?: string } {
  const span = activeSpan()
  return span === null ? {} : { trace_id: span.traceId }
}

/** On a terminal the output clears an unfinished line (the progress of a start) before it writes a line. */
const CLEAR_LINE = '\r\u001B[K'

/** Turns pino's JSON lines into text for people: `12:34:56.789 warn  what happened field=value`. */
export function textLines(destination: DestinationStream, isTerminal: boolean): DestinationStream {
  const before = isTerminal ? CLEAR_LINE : ''
  return { write: (line: string) => destination.write(`${before}${readable(line)}\n`) }
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** A line that is not JSON is shown unchanged. */
export function readable(line: string): string {
  const entry = parsed(line)
  if (entry === null) return line.trimEnd()
  const { level, time, msg, err, ...fields } = entry
  const words = [
    clockTime(time),
    (LEVELS[Number(level)] ?? String(level)).padEnd(5),
    printable(String(msg ?? '')),
    ...Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`),
  ]
  return `${words.join(' ')}${stackOf(err)}`
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Shows only the time of day, because a person at the terminal knows the date. */
function clockTime(time: unknown): string {
  return /T([\d:.]+)Z$/.exec(String(time))?.[1] ?? String(time)
}

/** A plain word is shown unchanged, every other value as JSON, so that it is clear where a value ends. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/{}-]+$/.test(value) ? value : JSON.stringify(value)
}

/** Escapes control characters, so that a message cannot move the cursor or colour the screen. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown }
  const text = typeof stack === 'string' ? stack : String(message ?? '')
  return text === ''
    ? ''
    : `\n${text
        .split('\n')
        .map((each) => `    ${printable(each.trim())}`)
        .join('\n')}`
}
