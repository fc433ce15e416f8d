export type Pair = { readonly id: string; readonly secret: string }

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/**
 * RFC 6749, section 2.3.1: both halves are encoded as in a form before they are joined by a colon and made base64. Null
 * for what is not such a header. What we issue needs no such encoding, but careful clients escape more than they must.
 */
export function parseBasic(authorization: string): Pair | null {
  const base64 = BASIC.exec(authorization)?.[1]
  if (base64 === undefined) return null
  const text = decodeUtf8(base64)
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon === -1) return null
  const [id, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))]
  return id === null || secret === null ? null : { id, secret }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(base64: string): string | null {
  try {
    return UTF8.decode(Buffer.from(base64, 'base64'))
  } catch {
    // Not UTF-8: the decoder says so in no other way.
    return null
  }
}

const ENCODED = /[%+]/

function formDecoded(text: string): string | null {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // A percent sign without its two digits, or digits that are not UTF-8.
    return null
  }
}
