import { TICKET_SECONDS } from './ticket.ts'

/**
 * A cookie beside the one of the sign-in session, which is about to be replaced. `Lax`, because the way back from the
 * provider is a link from another site. The prefix (RFC 6265bis) keeps other hosts of the same domain from setting it.
 */
const COOKIES = { ticket: 'portico-openid', pendingLink: 'portico-openid-link' } as const

export type OpenIdCookie = keyof typeof COOKIES

const nameOf = (https: boolean, which: OpenIdCookie) => (https ? `__Host-${COOKIES[which]}` : COOKIES[which])

/** Browsers drop a cookie of more than 4,096 bytes without a word. */
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
