import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { fillRandom } from '#kernel/random.ts'
import { KEY_ID_BYTES, type PurposeKeys } from './keyring.ts'

/**
 * Authenticated encryption: AES-256-GCM (NIST SP 800-38D) of node:crypto, with a random nonce of 96 bits. A sealed value has
 * one byte for the format, 4 for the key id, 12 for the nonce, then the ciphertext, and 16 for the tag. Format, key id, nonce and
 * `context` are authenticated. The context is not stored, so a value that was sealed for one context does not open in another.
 * Decision 23 has the limits.
 */
export type SealedBox = {
  seal(plain: Buffer, context: string): Buffer
  /** Null unless this server sealed the value for this purpose and context. */
  open(sealed: Buffer, context: string): Buffer | null
}

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES

/** The length of a sealed value in base64url without padding. */
export function sealedChars(plainBytes: number): number {
  return Math.ceil(((HEAD_BYTES + plainBytes + TAG_BYTES) * 4) / 3)
}

export function sealedBox(keys: PurposeKeys): SealedBox {
  return {
    seal(plain, context) {
      const head = Buffer.alloc(HEAD_BYTES)
      head[0] = FORMAT
      head.set(keys.current.id, 1)
      fillRandom(nonceOf(head))
      const cipher = createCipheriv('aes-256-gcm', keys.current.secret, nonceOf(head))
      cipher.setAAD(Buffer.concat([head, Buffer.from(context)]))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== FORMAT) return null
      const head = sealed.subarray(0, HEAD_BYTES)
      const key = keys.byId(head.subarray(1, 1 + KEY_ID_BYTES))
      if (key === null) return null
      const decipher = createDecipheriv('aes-256-gcm', key.secret, nonceOf(head), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.concat([head, Buffer.from(context)]))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // GCM reports only a wrong tag. The value may be changed, cut or sealed for another context; in every case it is
        // rejected.
        return null
      }
    },
  }
}

function nonceOf(head: Buffer): Buffer {
  return head.subarray(1 + KEY_ID_BYTES)
}

/** No cursor of this server is this long. Longer input is rejected without decoding. */
const CURSOR_CHARS_MAX = 1_024

export function cursorSealer(box: SealedBox): CursorSealer {
  return {
    seal: (kind, values) => box.seal(Buffer.from(JSON.stringify(values)), context(kind)).toString('base64url'),
    open(kind, cursor) {
      if (cursor.length > CURSOR_CHARS_MAX) return null
      const sealed = Buffer.from(cursor, 'base64url')
      // Base64 has spare bits and Node ignores invalid characters: only the exact spelling that we wrote is accepted.
      if (sealed.toString('base64url') !== cursor) return null
      const plain = box.open(sealed, context(kind))
      return plain === null ? null : (JSON.parse(plain.toString()) as CursorValue[])
    },
  }
}

function context({ kind, version }: CursorKind): string {
  return `cursor ${kind} v${version}`
}
