import { type FieldError, validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'

/** What is kept has at most 2,000 characters; with an answer of ours that comes to it there is room for that. */
const CHARS_MAX = 2_000
export const ANSWERED_URL_CHARS_MAX = 1_900

/** Visible ASCII without what ends an attribute or an address; everything else is percent-encoded by whoever has it. */
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/
/** Names and numbers alone: what a policy or an attribute would read as something else is in no host of anybody's. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

export type ReturnUrl = {
  readonly field: string
  readonly world: World
  /** What our answer adds to the query, if anything; of two, an app might read the one its own address brought along. */
  readonly answered?: readonly string[]
}

/**
 * "https or loopback in test": where a person may be sent afterwards, in the form a browser goes to. For sessions of both
 * kinds.
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
    return invalid(`must begin with https://${world === 'test' ? ', or http:// on this machine' : ''}`)
  }
  if (!HOST.test(url.hostname) && !url.hostname.startsWith('[')) return invalid('must name a host')
  if (url.username !== '' || url.password !== '') return invalid('must not name a user or password')
  if (answered.length > 0 && text.includes('#')) return invalid('must not have a fragment')
  const ours = answered.find((name) => url.searchParams.has(name))
  return ours === undefined ? null : invalid(`must not have the parameter ${ours}, which is ours to add`)
}

function isWeb({ protocol, hostname }: URL, world: World): boolean {
  return protocol === 'https:' || (protocol === 'http:' && world === 'test' && LOOPBACK.has(hostname))
}
