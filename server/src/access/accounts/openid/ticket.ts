import type { WallClock } from '#kernel/clock.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'

/**
 * The state of a sign-in while the person is at the provider. Their browser stores it in a sealed cookie. So no one can read or change it,
 * only the browser that started the sign-in can finish it, and a person who never returns from the provider leaves no row.
 */
export type Ticket = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  /** The person has to sign in at the provider again: an old session there is not a recent proof. */
  readonly again?: boolean
}

export type Tickets = {
  seal(ticket: Ticket): string
  /** Null for a missing cookie, for one that this service did not seal, and for one older than ten minutes. */
  open(sealed: string | undefined): Ticket | null
}

/** The time that a person has to find their password and phone. */
export const TICKET_SECONDS = 600

const CONTEXT = 'openid ticket v1'
/** Longer than any of our tickets. A longer text is not decoded. */
const SEALED_CHARS_MAX = 4_096

export function tickets(keys: Keyring, clock: WallClock): Tickets {
  const box = sealedBox(keys('openid'))
  return {
    seal({ state, nonce, verifier, returnTo, again }) {
      const expiresMs = clock.now() + TICKET_SECONDS * 1_000
      const plain = JSON.stringify({ state, nonce, verifier, returnTo, again, expiresMs })
      return box.seal(Buffer.from(plain), CONTEXT).toString('base64url')
    },
    open(sealed) {
      if (sealed === undefined || sealed.length > SEALED_CHARS_MAX) return null
      const plain = box.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      if (plain === null) return null
      const { expiresMs, ...ticket } = JSON.parse(plain.toString()) as Ticket & { readonly expiresMs: number }
      return expiresMs > clock.now() ? ticket : null
    },
  }
}

/**
 * These cookies are separate from the session cookie, because the sign-in replaces the session cookie. They are `Lax`, because browsers
 * do not send `Strict` cookies when the provider's site redirects to ours. The prefix `__Host-` (RFC 6265bis) prevents other hosts of
 * the same domain from setting them.
 */
const COOKIES = { ticket: 'portico-openid', pendingLink: 'portico-openid-link' } as const

export type OpenIdCookie = keyof typeof COOKIES

const nameOf = (https: boolean, which: OpenIdCookie) => (https ? `__Host-${COOKIES[which]}` : COOKIES[which])

/** Browsers drop a cookie of more than 4,096 bytes silently. */
export const TICKET_COOKIE_CHARS_MAX = 4_000

export function ticketCookie(https: boolean, sealed: string | null, which: OpenIdCookie = 'ticket'): string {
  const attributes = ['Path=/', `Max-Age=${sealed === null ? 0 : TICKET_SECONDS}`, 'HttpOnly', 'SameSite=Lax']
  return [`${nameOf(https, which)}=${sealed ?? ''}`, ...attributes, ...(https ? ['Secure'] : [])].join('; ')
}

export function readTicketCookie(
  https: boolean,
  header: string | undefined,
  which: OpenIdCookie = 'ticket',
): string | undefined {
  const begin = `${nameOf(https, which)}=`
  const pairs = header?.split(';').map((pair) => pair.trim())
  return pairs?.find((pair) => pair.startsWith(begin))?.slice(begin.length)
}
