import { isIP } from 'node:net'
import { isLoopback, judgeAddress } from './address.ts'
import { isLocalhost, isPublicName } from './host-name.ts'
import { isAllowedPort, serviceOn } from './port.ts'
import { isOwn, type Reach, rangesFor } from './reach.ts'

/** As many as are kept, too. */
export const URL_CHARS_MAX = 2_000

export type UrlRefusal =
  | 'too_long'
  | 'not_a_url'
  | 'not_https'
  | 'has_userinfo'
  | 'has_fragment'
  | 'port_not_allowed'
  | 'own_address'
  | 'name_not_public'
  | 'address_not_public'

/** For the person who wrote the URL: each goes on from the field's name ("url must …"). */
const MESSAGES: Readonly<Record<UrlRefusal, string>> = {
  too_long: `must have at most ${URL_CHARS_MAX} characters`,
  not_a_url: 'must be an absolute URL, without spaces or backslashes',
  not_https: 'must begin with https://',
  has_userinfo: 'must not name a user or password; the signature tells you who is calling',
  has_fragment: 'must not have a fragment (#…), which is never sent',
  port_not_allowed: 'must use port 443 or one from 1024 up that belongs to no other service',
  own_address: 'must not be the address of this service itself',
  name_not_public: 'must name a host on the public internet, such as hooks.example.com, without a dot at its end',
  address_not_public: 'must not lead to a private, local or reserved address',
}

export type UrlVerdict =
  | { readonly allowed: true; readonly url: URL; readonly host: string }
  | { readonly allowed: false; readonly why: UrlRefusal; readonly message: string }

const OWN_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

/**
 * What can be said of a URL without a network call: "`https` to public addresses only"; in the test world also "loopback
 * over http" where that is on. A name that passes is not yet an address that does: that is decided at every connection.
 */
export function judgeUrl(text: string, reach: Reach): UrlVerdict {
  if (text.length > URL_CHARS_MAX) return refused('too_long')
  const url = plainUrl(text)
  if (url === null) return refused('not_a_url')
  const host = hostOf(url)
  const why = formRefusal(text, url) ?? placeRefusal(url, host, reach)
  if (why === null) return { allowed: true, url, host }
  const service = why === 'port_not_allowed' ? serviceOn(Number(url.port)) : null
  return service === null ? refused(why) : refused(why, `; ${url.port} belongs to ${service}`)
}

/** Without the brackets of an IPv6 literal. */
function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

/** Parsers mend a lot: they drop line breaks and turn backslashes round. Two of them may then see two hosts. */
function plainUrl(text: string): URL | null {
  const plain = /^[a-z]+:\/\/[^/?#]/i.test(text) && !/[\s\\\p{Cc}]/u.test(text)
  return plain ? URL.parse(text) : null
}

function formRefusal(text: string, url: URL): UrlRefusal | null {
  const authority = /^[^/]+\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  if (OWN_PORT[url.protocol] === undefined) return 'not_https'
  if (authority.includes('@')) return 'has_userinfo'
  return text.includes('#') ? 'has_fragment' : null
}

function placeRefusal(url: URL, host: string, reach: Reach): UrlRefusal | null {
  const loopback = isLocalhost(host) || isLoopback(host)
  if (url.protocol === 'http:' && !(loopback && reach.loopback)) return 'not_https'
  const ownPort = OWN_PORT[url.protocol] ?? 0
  const port = url.port === '' ? ownPort : Number(url.port)
  if (!isAllowedPort(port, ownPort)) return 'port_not_allowed'
  if (isOwn(reach, { host, port, loopback })) return 'own_address'
  if (isIP(host) !== 0) {
    return judgeAddress(host, rangesFor(reach, loopback)).allowed ? null : 'address_not_public'
  }
  return isPublicName(host) || (loopback && reach.loopback) ? null : 'name_not_public'
}

function refused(why: UrlRefusal, more = ''): UrlVerdict {
  return { allowed: false, why, message: MESSAGES[why] + more }
}
