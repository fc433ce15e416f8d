import { inspect } from '#http/input/plain-text.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { measureMetadata } from './store.ts'

const CHARS_MAX = 2_000
/** The maximum length of a URL to which we add parameters. */
export const ANSWERED_URL_CHARS_MAX = 1_900

/** The ASCII characters that a URL may contain (RFC 3986). Partners percent-encode all other characters. */
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/
/** Host names and IPv4 addresses only, without characters that have a meaning in a Content-Security-Policy or in HTML. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

export type ReturnUrl = {
  readonly field: string
  readonly world: World
  /** Query parameters that we add. The URL must not contain them already, because the app might read the wrong value. */
  readonly answered?: readonly string[]
}

/**
 * "https or loopback in test": checks the return URL of a join session or an investment session, and returns it normalized as
 * browsers do.
 */
export function acceptedReturnUrl(text: string, wanted: ReturnUrl): string {
  const url = PLAIN.test(text) ? URL.parse(text) : null
  const problem = url === null ? NO_URL : problemOf(url, text, wanted)
  if (url === null || problem !== null) throw validationError([{ field: wanted.field, ...(problem ?? NO_URL) }])
  return url.href
}

type Problem = Pick<FieldError, 'code' | 'message'>

const invalid = (message: string): Problem => ({ code: 'invalid_format', message })
const NO_URL = invalid('must be an absolute URL in plain ASCII')

function problemOf(url: URL, text: string, { world, answered = [] }: ReturnUrl): Problem | null {
  const most = answered.length > 0 ? ANSWERED_URL_CHARS_MAX : CHARS_MAX
  if (Math.max(text.length, url.href.length) > most) {
    return { code: 'too_long', message: `must have at most ${most} characters` }
  }
  if (!isWeb(url, world)) {
    return invalid(`must begin with https://${world === 'test' ? ', or http:// on localhost, 127.0.0.1 or [::1]' : ''}`)
  }
  if (!HOST.test(url.hostname) && !url.hostname.startsWith('[')) return invalid('must name a host')
  if (url.username !== '' || url.password !== '') return invalid('must not name a user or password')
  if (answered.length > 0 && text.includes('#')) return invalid('must not have a fragment')
  const ours = answered.find((name) => url.searchParams.has(name))
  return ours === undefined ? null : invalid(`must not have the parameter ${ours}, which our response adds`)
}

function isWeb({ protocol, hostname }: URL, world: World): boolean {
  return protocol === 'https:' || (protocol === 'http:' && world === 'test' && LOOPBACK.has(hostname))
}

const METADATA_BYTES_MAX = 20_000

/** The partner gets its metadata back unchanged, so it may be any JSON that the database can store. */
export async function rejectUnstorableMetadata(tx: Tx, metadata: { readonly [key: string]: unknown }): Promise<void> {
  if (inspect(metadata).problem !== null) throw refusal('unstorable', 'contains text that cannot be stored')
  if ((await measureMetadata(tx, JSON.stringify(metadata))) > METADATA_BYTES_MAX) {
    throw refusal('too_long', `must not be longer than ${METADATA_BYTES_MAX} bytes as JSON`)
  }
}

function refusal(code: string, message: string) {
  return validationError([{ field: 'metadata', code, message }])
}

export const ORIGINS_MAX = 10
export const ORIGIN_CHARS_MAX = 260

/**
 * Origins that may embed the form. They become part of a Content-Security-Policy, so only plain origins are accepted: no
 * path, no wildcard, no character that would end the directive.
 */
const SITE = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}(?::[1-9]\d{0,4})?$/
const THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::[1-9]\d{0,4})?$/

/** "Framed only by the origins the session was created for." */
export function acceptedOrigins(origins: readonly string[], world: World): readonly string[] {
  const problems = origins.flatMap((origin, at) => (isOrigin(origin, world) ? [] : [problemAt(at, world)]))
  if (problems.length > 0) throw validationError(problems)
  return [...new Set(origins)]
}

function isOrigin(text: string, world: World): boolean {
  if (!(SITE.test(text) || (world === 'test' && THIS_MACHINE.test(text)))) return false
  return URL.parse(text)?.origin === text
}

function problemAt(at: number, world: World) {
  const local = world === 'test' ? ' or http://localhost:3000' : ''
  const message = `must be an origin in its plain form, such as https://partner.example${local}`
  return { field: `embed.origins[${at}]`, code: 'invalid_format', message }
}
