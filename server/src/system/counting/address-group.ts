import { isIPv6 } from 'node:net'

/** The length of the longest address as text. A proxy can send a longer text, which is cut. */
const ADDRESS_CHARS_MAX = 45

const MAPPED_IPV4 = '::ffff:'

/** 64:ff9b::/96 maps all of IPv4: the last two words are the IPv4 address (RFC 6052). */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0] as const

/**
 * The key under which an address is counted. A household or server gets a whole /64 of IPv6 (RFC 6177), so its 2^64 addresses
 * are one group. An IPv4 address in its IPv6 form is counted as the IPv4 address.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address.slice(0, ADDRESS_CHARS_MAX)
  // On a dual-stack socket Node writes an IPv4 address in this form: `::ffff:192.0.2.1`.
  if (address.startsWith(MAPPED_IPV4) && !address.includes(':', MAPPED_IPV4.length)) {
    return address.slice(MAPPED_IPV4.length, ADDRESS_CHARS_MAX)
  }
  const bare = address.replace(/%.*$/, '').toLowerCase()
  return isIPv6(bare) ? groupOfWords(wordsOf(bare)) : bare.slice(0, ADDRESS_CHARS_MAX)
}

function groupOfWords(words: readonly number[]): string {
  if (words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff) return ipv4Of(words)
  if (NAT64.every((word, at) => words[at] === word)) return ipv4Of(words)
  const network = words.slice(0, 4).map((word) => word.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight words of an address; `::` fills in the missing zeros. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = dottedToWords(address).split('::')
  const before = parseWords(head)
  const after = parseWords(tail ?? '')
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function parseWords(text: string): number[] {
  return text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
}

/** Converts, for example, `::ffff:192.0.2.1` to `::ffff:c000:201`. */
function dottedToWords(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}

function ipv4Of(words: readonly number[]): string {
  return words
    .slice(6)
    .flatMap((word) => [word >> 8, word & 255])
    .join('.')
}
