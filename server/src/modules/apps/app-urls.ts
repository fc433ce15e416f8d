import { type FieldError, validationError } from '#kernel/errors.ts'
import type { AppTexts } from './store.ts'

type Urls = Partial<Pick<AppTexts, 'website_url' | 'setup_url'>>

/** Visible ASCII without what ends an attribute or an address; everything else is percent-encoded by whoever has it. */
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * People are shown the website and are sent to the setup URL: neither may be anything but the web. The website may be
 * http; the setup URL gets an installation's id, so it is https, or http back to the developer's own machine.
 */
const RULES: { readonly [Field in keyof Urls]-?: (url: URL) => string | null } = {
  website_url: ({ protocol }) =>
    ['https:', 'http:'].includes(protocol) ? null : 'must begin with https:// or http://',
  setup_url: ({ protocol, hostname, hash, href }) => {
    if (hash !== '' || href.endsWith('#')) return 'must not have a fragment'
    if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname))) return null
    return 'must begin with https:// unless it is loopback'
  },
}

export function refuseUrls(urls: Urls): void {
  const problems = (Object.keys(RULES) as (keyof Urls)[]).flatMap((field): FieldError[] => {
    const text = urls[field]
    const message = text === undefined || text === null ? null : problemOf(text, RULES[field])
    return message === null ? [] : [{ field, code: 'invalid_format', message }]
  })
  if (problems.length > 0) throw validationError(problems)
}

function problemOf(text: string, rule: (url: URL) => string | null): string | null {
  const url = /^https?:\/\/[^/]/.test(text) && PLAIN.test(text) ? URL.parse(text) : null
  if (url === null) return 'must be an absolute URL in plain ASCII'
  if (url.username !== '' || url.password !== '') return 'must not name a user or password'
  return rule(url)
}
