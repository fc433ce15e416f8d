/** Encodes a value in DER (X.690), as far as a certificate needs it: a tag, a length, the content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
export const octets = (content: Uint8Array) => der(0x04, content)
export const bits = (content: Uint8Array) => der(0x03, Buffer.of(0), content)
export const yes = () => der(0x01, Buffer.of(0xff))
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
/**
 * Encodes an integer that is not negative. `bytes` must not begin with a zero byte. One zero byte is added if the first
 * bit would otherwise be read as the sign.
 */
export const integer = (bytes: Uint8Array) =>
  der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
export const generalizedTime = (at: Date) =>
  der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`))

/**
 * The first byte holds two arcs. Each further arc has seven bits per byte, and the highest bit is set in all its bytes
 * but the last.
 */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f]
  for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
}
