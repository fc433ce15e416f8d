import type { WallClock } from '#kernel/clock.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'

/** Each kind is sealed with its own context, so a ticket of one kind cannot be opened as another. */
export type TicketKind = 'second step' | 'passkey challenge' | 'authenticator app'

type Sealed = { readonly content: unknown; readonly browser: string; readonly expiresMs: number }

export type Tickets<T> = {
  /** `csrf` is the token of the browser's forms. It binds the ticket to this browser, because every browser has its own token. */
  seal(content: T, csrf: string): string
  /** Null for a text that this service did not seal, for a ticket of another browser, and for an expired ticket. */
  open(sealed: string | undefined, csrf: string): T | null
}

const SEALED_CHARS_MAX = 4_000

/**
 * A ticket is the sealed state between two requests of one browser. The browser stores it, so an unused ticket has no row in the database.
 * A ticket that works only once has a random part. When the ticket is used, the digest of this part is stored (`useTicket`).
 */
export function tickets<T>(
  { keys, clock }: { readonly keys: Keyring; readonly clock: WallClock },
  { kind, seconds }: { readonly kind: TicketKind; readonly seconds: number },
): Tickets<T> {
  const box = sealedBox(keys('sign-in-tickets'))
  const context = `${kind} v1`
  return {
    seal(content, csrf) {
      const sealed: Sealed = { content, browser: browserOf(csrf), expiresMs: clock.now() + seconds * 1_000 }
      return box.seal(Buffer.from(JSON.stringify(sealed)), context).toString('base64url')
    },
    open(text, csrf) {
      if (text === undefined || text.length > SEALED_CHARS_MAX) return null
      const plain = box.open(Buffer.from(text, 'base64url'), context)
      if (plain === null) return null
      const { content, browser, expiresMs } = JSON.parse(plain.toString()) as Sealed
      return browser === browserOf(csrf) && expiresMs > clock.now() ? (content as T) : null
    },
  }
}

function browserOf(csrf: string): string {
  return digestOf(csrf).toString('base64url')
}

export function readCookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim())
  return pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
