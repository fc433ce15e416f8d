/** What each byte may be part of: a name (RFC 9110, 5.6.2), or at least a value or a reason: no control character but the tab. */
const TOKEN = 2
const TEXT = 1
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte))

function kindOf(byte: number): number {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]$/.test(String.fromCharCode(byte))) return TOKEN
  return byte === 0x09 || (byte >= 0x20 && byte !== 0x7f) ? TEXT : 0
}

/** Where the name that begins at `from` ends. */
export function tokenEnd(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && KINDS[bytes[at] ?? 0] === TOKEN) at += 1
  return at
}

/** The first byte from `from` on that may stand in no line. */
export function textEnd(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && KINDS[bytes[at] ?? 0] !== 0) at += 1
  return at
}

/** More would be no number that can be counted with. */
export const CONTENT_LENGTH_DIGITS_MAX = 15

/** -1 for anything but digits. */
export function decimal(bytes: Buffer, from: number, to: number): number {
  let number = from === to ? -1 : 0
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** `word` is in small letters and hyphens, and what stands at `at` is text. */
export function sameIgnoringCase(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let nth = 0; nth < word.length; nth += 1) {
    // Sets the bit that tells small letters from capital ones. A hyphen has it; of the text, nothing else becomes one.
    if (((bytes[at + nth] ?? 0) | 0x20) !== word[nth]) return false
  }
  return true
}

export function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}
