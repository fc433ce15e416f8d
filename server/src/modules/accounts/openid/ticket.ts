import type { WallClock } from '#kernel/clock.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'

/**
 * What we must remember while a person is at the other provider. It travels in their own browser, sealed: only the
 * browser that left can come back, nobody can read or change it, and there is nothing to clean up.
 */
export type Ticket = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
}

export type Tickets = {
  seal(ticket: Ticket): string
  /** Null for none, for one that is not ours, and for one that is older than ten minutes. */
  open(sealed: string | undefined): Ticket | null
}

/** Time to find a password and a phone. */
export const TICKET_SECONDS = 600

const CONTEXT = 'openid ticket v1'
/** Longer than any of ours; not worth decoding. */
const SEALED_CHARS_MAX = 4_096

export function tickets(keys: Keyring, clock: WallClock): Tickets {
  const box = sealedBox(keys('openid'))
  return {
    seal({ state, nonce, verifier, returnTo }) {
      const expiresMs = clock.now() + TICKET_SECONDS * 1_000
      const plain = JSON.stringify({ state, nonce, verifier, returnTo, expiresMs })
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
