import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * The client's address. Any client may write anything into X-Forwarded-For, so an entry counts only if a trusted proxy added it.
 * The entries are read from the right, and the first address that is not a trusted proxy is the client's.
 */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return peerOf
  const isOurs = trusts(trustedProxies)
  return (request) => {
    let address = peerOf(request)
    const forwarded = (request.headers['x-forwarded-for'] ?? '').toString().split(',').reverse()
    for (const entry of forwarded) {
      const before = plain(withoutPort(entry.trim()))
      if (!isOurs(address) || isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** The host that the browser requested: a trusted proxy may have replaced the Host header and sent it as X-Forwarded-Host. */
export function requestedHost(trustedProxies: readonly string[]) {
  const isOurs = trusts(trustedProxies)
  return (request: IncomingMessage, target: Pick<Target, 'host'>): string => {
    const forwarded = request.headers['x-forwarded-host']?.toString().split(',').at(-1)?.trim()
    if (forwarded !== undefined && isOurs(peerOf(request))) return forwarded
    return target.host ?? request.headers.host ?? ''
  }
}

/** Whether the request comes directly from one of these addresses. */
export function sentBy(list: readonly string[]): (request: IncomingMessage) => boolean {
  const isOne = trusts(list)
  return (request) => isOne(peerOf(request))
}

const peerOf = ({ socket }: IncomingMessage): string => plain(socket.remoteAddress ?? '')

/**
 * On a dual-stack socket Node writes the address of an IPv4 client as IPv6; it is converted back. The interface of a link-local
 * address (`fe80::1%eth0`) is removed, because it does not identify the client.
 */
function plain(address: string): string {
  if (address.startsWith('::ffff:') && isIP(address.slice(7)) === 4) return address.slice(7)
  const zoneAt = address.indexOf('%')
  return zoneAt === -1 ? address : address.slice(0, zoneAt)
}

/** Some proxies add a port: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/

function withoutPort(entry: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(entry) ?? []
  return bracketed ?? dotted ?? entry
}

const RANGE = /^([^/]+)(?:\/([0-9]{1,3}))?$/

/** `list` contains addresses, ranges (`10.0.0.0/8`) and `loopback` for this machine. Throws if an entry is anything else. */
export function trusts(list: readonly string[]): (address: string) => boolean {
  const ranges = new BlockList()
  for (const entry of list.flatMap((name) => (name === 'loopback' ? ['127.0.0.0/8', '::1'] : [name]))) {
    const range = parseRange(entry)
    if (range === null) throw new Error(`not an address or a range: ${entry}`)
    ranges.addSubnet(range.address, range.bits, isIP(range.address) === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => isIP(address) !== 0 && ranges.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Whether `trusts` accepts the entry. */
export function isProxy(entry: string): boolean {
  return entry === 'loopback' || parseRange(entry) !== null
}

function parseRange(entry: string): { readonly address: string; readonly bits: number } | null {
  const [, address = '', bits] = RANGE.exec(entry) ?? []
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const isOne = family !== 0 && !address.includes('%') && Number(bits ?? most) <= most
  return isOne ? { address, bits: Number(bits ?? most) } : null
}

export type Target = {
  /** The host in the target, if the target is an absolute URL. It takes precedence over the Host header (RFC 9112). */
  readonly host: string | null
  readonly path: string
  readonly queryText: string
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i
const PATH_END = /[?#]/

/** Splits the request target without decoding it. */
export function targetOf(url: string): Target {
  if (url.startsWith('/')) return splitTarget(null, url)
  const [origin, host] = ORIGIN.exec(url) ?? []
  if (origin === undefined || host === undefined) return splitTarget(null, url)
  const rest = url.slice(origin.length)
  return splitTarget(host, rest.startsWith('/') ? rest : `/${rest}`)
}

function splitTarget(host: string | null, text: string): Target {
  const end = text.search(PATH_END)
  return end === -1
    ? { host, path: text, queryText: '' }
    : { host, path: text.slice(0, end), queryText: text.slice(end + 1) }
}
