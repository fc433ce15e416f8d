import { validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'

/** Visible ASCII without what ends an attribute or an address; everything else is percent-encoded by whoever has it. */
const PLAIN = /^https?:\/\/[!#-;=?-[\]_a-z~]+$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * success_url: "redirect after completion". A person who has just put money in is sent there, so it is https; in the
 * sandbox also http on the developer's own machine.
 */
export function refuseReturnUrl(url: string, world: World): void {
  const problem = problemOf(url, world)
  if (problem !== null) throw validationError([{ field: 'success_url', code: 'invalid_format', message: problem }])
}

function problemOf(text: string, world: World): string | null {
  const url = PLAIN.test(text) ? URL.parse(text) : null
  if (url === null) return 'must be an absolute URL in plain ASCII'
  if (url.username !== '' || url.password !== '') return 'must not name a user or password'
  if (url.protocol === 'https:') return null
  if (world === 'test' && LOOPBACK.has(url.hostname)) return null
  return world === 'test' ? 'must begin with https:// unless it is loopback' : 'must begin with https://'
}
