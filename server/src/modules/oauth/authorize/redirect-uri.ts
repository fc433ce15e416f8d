import { matchesRedirectUri } from '#modules/apps/index.ts'

/** "Exact redirect URIs, any port on loopback." */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((known) => matchesRedirectUri(known, uri))
}

/**
 * RFC 6749, section 3.1.2.3: who registered one redirect URI may leave it out. It is the very one that was registered,
 * so exact matching (RFC 9700, section 2.1) is not weakened. Not on loopback, which is all that plain http is accepted
 * for: there the port is known only to who is listening.
 */
export function impliedUri(registered: readonly string[]): string | null {
  const [only, ...others] = registered
  return only === undefined || others.length > 0 || only.startsWith('http://') ? null : only
}
