import { validationError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'

export const ORIGINS_MAX = 10
export const ORIGIN_CHARS_MAX = 260

/**
 * Who may show the form in a frame. It becomes part of a Content-Security-Policy, so it is an origin in its plain form and
 * nothing else: no path, no wildcard, no character that would end the directive.
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
