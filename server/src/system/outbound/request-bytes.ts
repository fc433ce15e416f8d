export type Headers = Readonly<Record<string, string>>

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** One character is one byte, and none ends the line. */
const NOT_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/
/** What says where a request ends and how it travels. */
const OURS = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|keep-alive|te|trailer)$/i

/**
 * A whole request in one piece, so that it leaves with one call to the system. A header that cannot be sent is a mistake of the
 * caller's, and throws.
 */
export function requestBytes(begin: string, headers: Headers, body: Buffer | string): Buffer {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const head = `${begin}${headerLines(headers)}content-length: ${length}\r\n\r\n`
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (typeof body === 'string') bytes.write(body, head.length)
  else bytes.set(body, head.length)
  return bytes
}

function headerLines(headers: Headers): string {
  let lines = ''
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!isName(name) || NOT_IN_VALUES.test(value)) throw new Error(`the header ${JSON.stringify(name)} cannot be sent`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

const NAMES_MAX = 100
const names = new Set<string>()

/** The same few names are sent again and again. */
function isName(name: string): boolean {
  if (names.has(name)) return true
  const allowed = NAME.test(name) && !OURS.test(name)
  if (allowed && names.size < NAMES_MAX) names.add(name)
  return allowed
}
