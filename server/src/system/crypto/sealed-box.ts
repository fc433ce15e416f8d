import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { KEY_ID_BYTES, type PurposeKeys } from './keyring.ts'

/**
 * Authenticated encryption (AES-256-GCM): format byte, key id, nonce, ciphertext, tag. `context` is bound into the
 * seal without being stored: what was sealed for one thing does not open as another.
 */
export type SealedBox = {
  seal(plain: Buffer, context: string): Buffer
  /** Null for everything this server did not seal with this purpose and context. */
  open(sealed: Buffer, context: string): Buffer | null
}

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES

export function sealedBox(keys: PurposeKeys): SealedBox {
  return {
    seal(plain, context) {
      const head = Buffer.concat([Buffer.of(FORMAT), keys.current.id, randomBytes(NONCE_BYTES)])
      const cipher = createCipheriv('aes-256-gcm', keys.current.bytes, nonceOf(head))
      cipher.setAAD(Buffer.concat([head, Buffer.from(context)]))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== FORMAT) return null
      const head = sealed.subarray(0, HEAD_BYTES)
      const key = keys.byId(head.subarray(1, 1 + KEY_ID_BYTES))
      if (key === null) return null
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonceOf(head), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.concat([head, Buffer.from(context)]))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // GCM says only that the tag is wrong: changed, cut, or sealed for another context. All mean "not ours".
        return null
      }
    },
  }
}

function nonceOf(head: Buffer): Buffer {
  return head.subarray(1 + KEY_ID_BYTES)
}
