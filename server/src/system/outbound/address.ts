import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network such as 127.0.0.0/8. */
type AddressRange = readonly [Address, number]

/** `range` is a word for the log: loopback, private, linkLocal, carrierGradeNat, 6to4 … */
export type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly range: string }

const ALLOWED: AddressVerdict = { allowed: true }

export function addressRanges(...texts: readonly string[]): readonly AddressRange[] {
  return texts.map((text) => ipaddr.parseCIDR(text))
}

export const LOOPBACK = addressRanges('127.0.0.0/8', '::1/128')

/** This address looks public but is inside Azure: every virtual machine there reaches Azure's own services at it. */
const CLOUD = addressRanges('168.63.129.16/32')
/** Global unicast. All other IPv6 is reserved, local or multicast. */
const GLOBAL_IPV6 = addressRanges('2000::/3')
/** NAT64's well-known prefix: the last 32 bits are the IPv4 address (RFC 6052). */
const NAT64 = addressRanges('64:ff9b::/96')

/**
 * "`https` to public addresses only, decided on the address actually connected to." An address is public if neither
 * registry of special-purpose addresses (RFC 6890) lists it. An IPv6 address that maps to an IPv4 address is checked as
 * that address. 6to4 and Teredo addresses contain an IPv4 address too, but are rejected, because no receiver uses them.
 * `also` lists ranges that count as public.
 */
export function judgeAddress(text: string, also: readonly AddressRange[] = []): AddressVerdict {
  // Accepts only the plain form: the checked address must be the one that the system connects to, and 0177.1 can be
  // read in two ways.
  if (isIP(text) === 0 || text.includes('%')) return { allowed: false, range: 'notAnAddress' }
  const address = embeddedIpv4(parse(text))
  if (within(address, also)) return ALLOWED
  const range = specialRange(address)
  return range === null ? ALLOWED : { allowed: false, range }
}

export function isLoopback(text: string): boolean {
  return isIP(text) !== 0 && within(embeddedIpv4(parse(text)), LOOPBACK)
}

/**
 * ipaddr.js reads `::8.8.8.8` as `::ffff:8.8.8.8`, which is another address. So the last groups are converted to hex before it
 * parses the address.
 */
function parse(text: string): Address {
  if (isIP(text) === 4) return ipaddr.parse(text)
  const [dotted, ...octets] = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? []
  if (dotted === undefined) return ipaddr.parse(text)
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number)
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16))
  return ipaddr.parse(text.slice(0, -dotted.length) + groups.join(':'))
}

function embeddedIpv4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return within(address, NAT64) ? ipaddr.fromByteArray(address.toByteArray().slice(-4)) : address
}

function specialRange(address: Address): string | null {
  const range = address.range()
  if (range !== 'unicast') return range
  if (within(address, CLOUD)) return 'cloud'
  return address instanceof ipaddr.IPv6 && !within(address, GLOBAL_IPV6) ? 'reserved' : null
}

function within(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

const NAME_CHARS_MAX = 253
/** A label of a name in DNS. Host names must not have underscores, but the names of some receivers have one. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Endings that the public DNS does not resolve: special-use names (RFC 6761 and IANA's registry of them), and names used by
 * private networks. `.example` is not listed: it never resolves, and documentation uses it a lot.
 */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  ...['localhost', 'local', 'internal', 'test', 'invalid', 'onion', 'alt', 'arpa'],
  ...['localdomain', 'intranet', 'private', 'corp', 'home', 'lan'],
])

/** "localhost" and all names below it are this machine (RFC 6761, 6.3), without a DNS query. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** A name that a host on the internet could have. Takes the form in a URL: lower case, punycode. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.')
  const ending = labels.at(-1) ?? ''
  if (name.length > NAME_CHARS_MAX || labels.length < 2 || NOT_PUBLIC.has(ending)) return false
  return labels.every((label) => LABEL.test(label))
}

/** The addresses that a world may send to besides public ones, and the origins that it may not send to. */
export type AddressPolicy = {
  /**
   * "`test` mode may also send to loopback over http": only if the URL itself names loopback, not a name that resolves to it.
   */
  readonly loopback: boolean
  /** Ranges that count as public. */
  readonly ranges: readonly AddressRange[]
  /** The service's own origins; a webhook to one of them would be a request to ourselves. */
  readonly own?: () => readonly string[]
}

export const PUBLIC_ONLY: AddressPolicy = { loopback: false, ranges: [] }

/** `spelledOut`: the URL's host is a loopback address or localhost. */
export function rangesFor(addressPolicy: AddressPolicy, spelledOut: boolean): readonly AddressRange[] {
  return addressPolicy.loopback && spelledOut ? [...addressPolicy.ranges, ...LOOPBACK] : addressPolicy.ranges
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

type Aim = { readonly host: string; readonly port: number; readonly loopback: boolean }

/** All loopback names and addresses of this machine reach the same listener, so only the port is compared. */
export function isOwn({ own }: AddressPolicy, aim: Aim): boolean {
  for (const origin of own?.() ?? []) {
    const url = URL.parse(origin)
    if (url === null || (Number(url.port) || DEFAULT_PORT[url.protocol]) !== aim.port) continue
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (host === aim.host) return true
    if (aim.loopback && (isLocalhost(host) || isLoopback(host) || ANY_ADDRESS.has(host))) return true
  }
  return false
}
