import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Numbers that are bound to a sealed box and cannot be read without it. The cursors of a page's rows differ only in one
 * number, and sealing or signing each row costs more than reading the page (`npm run bench -- ledger --libraries`). The
 * construction is encode-then-encipher (Bellare and Rogaway, ASIACRYPT 2000) over one block: AES-256 of 64 bits of the
 * box's nonce, 11 zero bits and the number (53 bits), under a key that is used for nothing else. AES is assumed to be a strong
 * pseudorandom permutation: a block that was changed, forged or taken from another box is accepted once in 2^75 tries. The
 * same number with the same box gives the same text. See decision 23.
 */
export type BoundNumbers = {
  /** Returns the encrypted blocks of the numbers, one after the other. `writeBound` converts a block to text. */
  seal(box: string, numbers: readonly number[]): Buffer
  /** Null unless this server sealed the number for this box. */
  open(box: string, sealed: string): number | null
}

export const BLOCK_BYTES = 16
/** 16 bytes in base64url without padding. */
export const BOUND_CHARS = 22
/** A sealed box begins with its format, the id of its key and its nonce. A number is bound to the first 8 bytes of the nonce. */
const [KEY_ID_AT, NONCE_AT, NONCE_BYTES] = [1, 1 + KEY_ID_BYTES, 8]
const HEAD_CHARS = Math.ceil(((NONCE_AT + NONCE_BYTES) * 4) / 3)
const HIGH = 2 ** 32
const HIGHEST = Number.MAX_SAFE_INTEGER

type Ciphers = { readonly to: Cipheriv; readonly from: Decipheriv }

/**
 * `boxes`: the keys of the boxes. `numbers`: keys of another purpose, derived from the same sealing secrets in the same order. A
 * number uses the key that was derived from the same secret as the key of its box.
 */
type Keys = { readonly boxes: PurposeKeys; readonly numbers: PurposeKeys }

export function boundNumbers({ boxes, numbers }: Keys): BoundNumbers {
  const boxKeys = [boxes.current, ...boxes.previous]
  const ciphers = [numbers.current, ...numbers.previous].map(makeCiphers)
  const headOf = (box: string) => {
    const head = Buffer.from(box.slice(0, HEAD_CHARS), 'base64url')
    const keyId = head.subarray(KEY_ID_AT, NONCE_AT)
    const ofKey = ciphers[boxKeys.findIndex(({ id }) => id.equals(keyId))]
    return ofKey === undefined ? null : { ciphers: ofKey, nonce: head.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES) }
  }
  return {
    seal(box, given) {
      const head = headOf(box)
      if (head === null) throw new Error('numbers can only be bound to a box that this server sealed')
      const blocks = Buffer.allocUnsafe(given.length * BLOCK_BYTES)
      for (let row = 0, at = 0; row < given.length; row++, at += BLOCK_BYTES) {
        const number = given[row] ?? 0
        blocks.set(head.nonce, at)
        blocks.writeUInt32BE(Math.floor(number / HIGH), at + NONCE_BYTES)
        blocks.writeUInt32BE(number % HIGH, at + NONCE_BYTES + 4)
      }
      return head.ciphers.to.update(blocks)
    },
    open(box, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Node ignores invalid characters in base64: only the exact spelling that we wrote is accepted.
      if (bytes.length !== BLOCK_BYTES || bytes.toString('base64url') !== sealed) return null
      const head = headOf(box)
      if (head === null) return null
      const block = head.ciphers.from.update(bytes)
      const number = block.readUInt32BE(NONCE_BYTES) * HIGH + block.readUInt32BE(NONCE_BYTES + 4)
      return block.subarray(0, NONCE_BYTES).equals(head.nonce) && number <= HIGHEST ? number : null
    },
  }
}

/** A cipher works block by block, without padding, so it has no state and can be reused. Creating one is slow. */
function makeCiphers({ secret }: Key): Ciphers {
  return {
    to: createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false),
    from: createDecipheriv('aes-256-ecb', secret, null).setAutoPadding(false),
  }
}

const LETTERS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/** Writes the text of a block directly into the output buffer, without a string for each row. */
export function writeBound(blocks: Buffer, row: number, into: Buffer, at: number): void {
  const from = row * BLOCK_BYTES
  let to = at
  for (let offset = 0; offset < BLOCK_BYTES; offset += 3) {
    const [a, b, c] = [byteAt(blocks, from, offset), byteAt(blocks, from, offset + 1), byteAt(blocks, from, offset + 2)]
    const bits = (a << 16) | (b << 8) | c
    into[to++] = LETTERS[bits >> 18] ?? 0
    into[to++] = LETTERS[(bits >> 12) & 63] ?? 0
    if (to === at + BOUND_CHARS) return
    into[to++] = LETTERS[(bits >> 6) & 63] ?? 0
    into[to++] = LETTERS[bits & 63] ?? 0
  }
}

/** Returns zero after the end of the block, and not a byte of the next block. */
function byteAt(blocks: Buffer, from: number, offset: number): number {
  return offset < BLOCK_BYTES ? (blocks[from + offset] ?? 0) : 0
}
