import { type FieldError, validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'

export const RETURN_URL_CHARS_MAX = 1_900

/** What our answer adds to the query; of two, an app might read the one its own address brought along. */
const ANSWERED = ['join_session_id', 'status'] as const

const PLAIN = /^[!-~]+$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** "https or loopback in test": where a person may be sent afterwards, in the form a browser goes to. */
export function acceptedReturnUrl(text: string, world: World): string {
  const url = URL.parse(text)
  const problem = problemOf(text, url, world)
  if (url === null || problem !== null) throw validationError([{ field: 'return_url', ...(problem ?? NO_URL) }])
  return url.href
}

type Problem = Pick<FieldError, 'code' | 'message'>

const invalid = (message: string): Problem => ({ code: 'invalid_format', message })
const NO_URL = invalid('must be an absolute URL in plain ASCII')

function problemOf(text: string, url: URL | null, world: World): Problem | null {
  if (url === null || !PLAIN.test(text)) return NO_URL
  if (text.length > RETURN_URL_CHARS_MAX || url.href.length > RETURN_URL_CHARS_MAX) {
    return { code: 'too_long', message: `must have at most ${RETURN_URL_CHARS_MAX} characters` }
  }
  if (!isWeb(url, world)) {
    return invalid(`must begin with https://${world === 'test' ? ', or http:// on this machine' : ''}`)
  }
  if (url.username !== '' || url.password !== '') return invalid('must not name a user or password')
  if (text.includes('#')) return invalid('must not have a fragment')
  const ours = ANSWERED.find((name) => url.searchParams.has(name))
  return ours === undefined ? null : invalid(`must not have the parameter ${ours}, which is ours to add`)
}

function isWeb({ protocol, hostname }: URL, world: World): boolean {
  return protocol === 'https:' || (protocol === 'http:' && world === 'test' && LOOPBACK.has(hostname))
}
