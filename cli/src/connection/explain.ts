import { ApiError, ConnectionError, OAuthError, PorticoError, RateLimitError, type RetryNotice } from '@portico/sdk'
import { EXIT, type ExitCode, Failure, failureOf } from '../failure.ts'

/** What the person can do if the service rejects the credential, or does not respond. */
export type Remedies = { readonly credential: string; readonly unreachable: string }

/** Converts an error of the SDK to one sentence and a remedy. */
export function explained(error: unknown, baseUrl: string, remedies: Remedies): Failure {
  if (error instanceof ConnectionError) {
    return new Failure(`Nothing answers at ${baseUrl} (${reasonOf(error)}).`, {
      ...{ exit: EXIT.unreachable, type: 'unreachable', remedy: remedies.unreachable, cause: error },
    })
  }
  if (error instanceof OAuthError) {
    const failure = { exit: EXIT.credential, type: error.code, remedy: remedies.credential, cause: error }
    return new Failure(`The service issued no token: ${error.message}`, failure)
  }
  if (!(error instanceof ApiError)) {
    // The message of a PorticoError says what to do, for example if another program has the copy open.
    return error instanceof PorticoError ? new Failure(error.message, { cause: error }) : failureOf(error)
  }
  const { status, type, requestId, remediation, details } = error
  const remedy = status === 401 ? remedies.credential : (fieldProblems(details) ?? remediation)
  const sentence = remediation === undefined ? error.message : error.message.replace(remediation, '').trim()
  const failure = { exit: exitOf(status), type, requestId, cause: error }
  return new Failure(sentence, remedy === undefined ? failure : { ...failure, remedy })
}

function fieldProblems(details: Readonly<Record<string, unknown>>): string | undefined {
  const fields = details['fields']
  if (!Array.isArray(fields)) return undefined
  return fields.map(({ field, message }) => `${field} ${message}.`).join(' ')
}

function exitOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.credential
  return status === 404 ? EXIT.notFound : EXIT.failed
}

/**
 * Why an error happened, such as "connection refused". Searches the chain of causes for the first error with a known
 * code. If no error has a known code, returns the message of the innermost error, because the outer errors only say
 * that a request failed.
 */
export function reasonOf(error: unknown): string {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    const reason = 'code' in inner ? REASONS[String(inner.code)] : undefined
    if (reason !== undefined) return reason
    if (inner.cause === undefined) return inner.message.replace(/\.$/, '')
  }
  return String(error)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be resolved',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_SOCKET: 'connection closed',
}

/** A request that failed and is sent again after a wait. */
export type Retry = RetryNotice & { readonly attempts: number }

/** The remark about a retry: why the request is sent again, and when. */
export function retryText(baseUrl: string, retry: Retry, now: Date): string {
  const { status, error, waitMs, attempt, attempts } = retry
  if (status === 429) return limitText(error, waitMs, now)
  const why = status === undefined ? `No answer from ${baseUrl} (${reasonOf(error)})` : `${baseUrl} answered ${status}`
  return `${why}: trying again in ${Math.ceil(waitMs / 1_000)} s (attempt ${attempt + 1} of ${attempts}).`
}

/** The wait may last most of an hour, so the text names the limit and the time at which the command continues. */
function limitText(error: Error, waitMs: number, now: Date): string {
  const { limit, period } = error instanceof RateLimitError ? error.details : {}
  const limitName =
    typeof limit === 'number' ? `${limit.toLocaleString('en')} requests${periodText(period)}` : 'requests'
  const at = new Date(now.getTime() + waitMs).toTimeString().slice(0, 8)
  return `The limit of ${limitName} is used up. Continuing at ${at}, in ${waitText(waitMs)}.`
}

function periodText(seconds: unknown): string {
  if (seconds === 3_600) return ' an hour'
  if (seconds === 60) return ' a minute'
  return typeof seconds === 'number' ? ` in ${waitText(seconds * 1_000)}` : ''
}

function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}
