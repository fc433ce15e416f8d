import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Numbers that go beside a sealed box and mean nothing without it: the cursors of a page's rows have everything in common but one
 * number, and to seal or sign each by itself costs more than to read the page (`npm run bench -- ledger --libraries`).
 *
 * The construction is encode-then-encipher (Bellare and Rogaway, ASIACRYPT 2000) over one block: AES-256 of 64 bits of the box's
 * nonce, 11 zero bits and the number (53 bits), under a key of its own. AES is taken for a strong pseudorandom permutation, so a
 * block that was changed, made up, or taken from beside another box has the right 75 bits once in 2^75 tries. The same number
 * beside the same box gives the same text. Decision 23 has the rest.
 */
export type BoundNumbers = {
  /** Puts the numbers' blocks, one after the other, into bytes; `writeBound` makes text of one. */
  seal(beside: string, numbers: readonly number[]): Buffer
  /** Null for everything this server did not seal beside that box. */
  open(beside: string, sealed: string): number | null
}

export const BLOCK_BYTES = 16
/** Of 16 bytes in base64url without padding. */
export const BOUND_CHARS = 22
/** A sealed box begins with its format, the id of its key and its nonce, of which so much is bound. */
const [KEY_ID_AT, NONCE_AT, NONCE_BYTES] = [1, 1 + KEY_ID_BYTES, 8]
const HEAD_CHARS = Math.ceil(((NONCE_AT + NONCE_BYTES) * 4) / 3)
const HIGH = 2 ** 32
const HIGHEST = Number.MAX_SAFE_INTEGER

type Ciphers = { readonly to: Cipheriv; readonly from: Decipheriv }

/** `boxes`: the keys of the boxes; `numbers`: keys of another purpose, of which a number has the one that its box has. */
type Keys = { readonly boxes: PurposeKeys; readonly numbers: PurposeKeys }

export function boundNumbers({ boxes, numbers }: Keys): BoundNumbers {
  const boxKeys = [boxes.current, ...boxes.previous]
  const ciphers = [numbers.current, ...numbers.previous].map(makeCiphers)
  const headOf = (beside: string) => {
    const head = Buffer.from(beside.slice(0, HEAD_CHARS), 'base64url')
    const keyId = head.subarray(KEY_ID_AT, NONCE_AT)
    const known = ciphers[boxKeys.findIndex(({ id }) => id.equals(keyId))]
    return known === undefined ? null : { ciphers: known, nonce: head.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES) }
  }
  return {
    seal(beside, given) {
      const head = headOf(beside)
      if (head === null) throw new Error('numbers are sealed beside what this server sealed')
      const blocks = Buffer.allocUnsafe(given.length * BLOCK_BYTES)
      for (let row = 0, at = 0; row < given.length; row++, at += BLOCK_BYTES) {
        const number = given[row] ?? 0
        blocks.set(head.nonce, at)
        blocks.writeUInt32BE(Math.floor(number / HIGH), at + NONCE_BYTES)
        blocks.writeUInt32BE(number % HIGH, at + NONCE_BYTES + 4)
      }
      return head.ciphers.to.update(blocks)
    },
    open(beside, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Node skips foreign characters: only the one spelling we wrote is accepted.
      if (bytes.length !== BLOCK_BYTES || bytes.toString('base64url') !== sealed) return null
      const head = headOf(beside)
      if (head === null) return null
      const block = head.ciphers.from.update(bytes)
      const number = block.readUInt32BE(NONCE_BYTES) * HIGH + block.readUInt32BE(NONCE_BYTES + 4)
      return block.subarray(0, NONCE_BYTES).equals(head.nonce) && number <= HIGHEST ? number : null
    },
  }
}

/** Block by block and nothing else: without padding these have no state, so one serves for ever. Making one is slow. */
function makeCiphers({ secret }: Key): Ciphers {
  return {
    to: createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false),
    from: createDecipheriv('aes-256-ecb', secret, null).setAutoPadding(false),
  }
}

const LETTERS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/** The text of a block, straight to where it is sent from: a string for each row would be made only to be written. */
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

/** Nothing of the block after it. */
function byteAt(blocks: Buffer, from: number, offset: number): number {
  return offset < BLOCK_BYTES ? (blocks[from + offset] ?? 0) : 0
}
