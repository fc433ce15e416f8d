/** What a log line may hold of an error nobody expected. */
export type ErrorDescription = {
  readonly name: string
  readonly message?: string
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
  readonly frames?: readonly string[]
  readonly cause?: ErrorDescription
}

const CAUSES_MAX = 3
const FRAMES_MAX = 12
const MESSAGE_CHARS_MAX = 500

/**
 * Picks the fields that are ours to read instead of logging the error whole: PostgreSQL puts row values into `detail`
 * and, for data exceptions (SQLSTATE class 22), into the message itself, and a row may hold an email or a secret.
 */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: typeof thrown }
  const code = text(thrown, 'code')
  const constraint = text(thrown, 'constraint')
  const table = text(thrown, 'table')
  const frames = (thrown.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return {
    name: thrown.name,
    ...(code?.startsWith('22') ? {} : { message: thrown.message.slice(0, MESSAGE_CHARS_MAX) }),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
    ...(thrown.cause instanceof Error && depth < CAUSES_MAX ? { cause: describeError(thrown.cause, depth + 1) } : {}),
  }
}

function text(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' && value !== '' ? value : undefined
}
