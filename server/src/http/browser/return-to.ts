import { digestOf } from '#system/crypto/secret.ts'
import type { Edge } from '../edge.ts'

const SIGN_IN = '/sign-in'
/**
 * A placeholder for our own host. An address is resolved against this placeholder. If the result has another host, the
 * address leads to another site.
 */
const PLACEHOLDER_ORIGIN = 'http://portico.invalid'

/**
 * The maximum length, percent-encoded, of an address to return to after signing in. The address is a part of the sign-in page's
 * address, and many proxies accept no request line beyond 8 KiB.
 */
export const RETURN_TO_CHARS_MAX = 8_000

export function carriesBack(address: string): boolean {
  return encodeURIComponent(address).length <= RETURN_TO_CHARS_MAX
}

/** The sign-in page, with the address to return to if there is one. */
export function signInAddress(returnTo: string | null): string {
  return returnTo === null ? SIGN_IN : `${SIGN_IN}?return_to=${encodeURIComponent(returnTo)}`
}

export const CONFIRM_PATH = '/sign-in/confirm'

/** The page where a signed-in person confirms their identity, with the address to return to. */
export function confirmAddress(returnTo: string | null): string {
  return returnTo === null ? CONFIRM_PATH : `${CONFIRM_PATH}?return_to=${encodeURIComponent(returnTo)}`
}

/**
 * The path to which a browser posts a form whose sender must confirm their identity first. The confirmation pages contain the
 * form, sealed, and post it to its own path afterwards.
 */
export const SEALED_FORM_PATH = `${CONFIRM_PATH}/form`

/** The Location of a 307 response to a form that was posted to `path`: the browser posts the form again, to this address. */
export function keepFormAddress(path: string, returnTo: string | null): string {
  return `${SEALED_FORM_PATH}?${new URLSearchParams({ for: path, ...(returnTo === null ? {} : { return_to: returnTo }) })}`
}

/**
 * The path, query and fragment of an address on our own host, or null. The text comes from a link, so it may be anything. For
 * example, browsers take `//elsewhere.example` and `/\elsewhere.example` as addresses on another host.
 */
export function localAddress(text: string | undefined): string | null {
  if (text === undefined || !text.startsWith('/')) return null
  const url = URL.parse(text, PLACEHOLDER_ORIGIN)
  return url === null || url.origin !== PLACEHOLDER_ORIGIN ? null : url.pathname + url.search + url.hash
}

/** The hidden field that contains a sealed form on the pages where its sender confirms their identity. */
export const SEALED_FORM_FIELD = 'kept_form'

/** The person has this long to confirm. */
const SEALED_FOR_MS = 600_000
const SEALED_CHARS_MAX = 100_000

/**
 * Fields that are never sealed: passwords, codes, passkey responses, and the tickets that are sent with codes and responses. A form
 * that needs one of them asks for it again.
 */
const NEVER_SEALED: ReadonlySet<string> = new Set(['password', 'current', 'repeated', 'code', 'credential', 'ticket'])

type Fields = Readonly<Record<string, unknown>>
type SealedForm = { readonly fields: Fields; readonly untilMs: number }
type Ports = Pick<Edge['ports'], 'answers' | 'clock'>
/** The cookie of the browser that sent the form, and the path to which it was sent. */
type Sender = { readonly cookieValue: string; readonly path: string }

/**
 * Seals a form until its sender has confirmed their identity. The confirmation pages contain it in a hidden field. The sealed
 * form opens only with the same browser's cookie and for the same path. Null if the form is too long.
 */
export function keepForm({ answers, clock }: Ports, sender: Sender, fields: Fields): string | null {
  const sealable = Object.fromEntries(Object.entries(fields).filter(([name]) => !NEVER_SEALED.has(name)))
  const content: SealedForm = { fields: sealable, untilMs: clock.now() + SEALED_FOR_MS }
  const sealed = answers.seal(Buffer.from(JSON.stringify(content)), contextOf(sender)).toString('base64url')
  return sealed.length > SEALED_CHARS_MAX ? null : sealed
}

/** Null after ten minutes, and for text that was not sealed for this cookie and path. */
export function openForm({ answers, clock }: Ports, sender: Sender, sealed: string): Fields | null {
  if (sealed.length > SEALED_CHARS_MAX) return null
  const plain = answers.open(Buffer.from(sealed, 'base64url'), contextOf(sender))
  if (plain === null) return null
  const { fields, untilMs } = JSON.parse(plain.toString()) as SealedForm
  return untilMs > clock.now() ? fields : null
}

const contextOf = ({ cookieValue, path }: Sender) => `kept form v1 ${digestOf(cookieValue).toString('hex')} ${path}`
