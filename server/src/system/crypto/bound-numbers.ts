import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, hkdfSync } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Numbers that go beside a message of a fixed sealer and mean nothing without it: a page's rows have all of a cursor in
 * common but for one number, and to seal the whole of it for each cost more than to read the page.
 *
 * Each is one block of a cipher: the number, and the beginning of the message's tag. Nobody without the key can tell the
 * cipher from a permutation drawn by lot, so a block that was changed, made up, or taken from beside another message opens
 * to that tag and to a number below 2^53 once in 2^75 tries. The same number beside the same message gives the same text.
 */
export type BoundNumbers = {
  /** Puts the numbers' blocks, one after the other, into bytes; `writeBound` makes text of one. */
  seal(beside: string, numbers: readonly number[]): Buffer
  /** Null for everything this server did not seal beside that message. */
  open(beside: string, sealed: string): number | null
}

export const BLOCK_BYTES = 16
/** Of 16 bytes in base64url without padding. */
export const BOUND_CHARS = 22
/** What a sealed message begins with: the id of its key and its tag, of which so much is bound. */
const TAG_BYTES = 8
const HEAD_CHARS = ((KEY_ID_BYTES + TAG_BYTES) / 3) * 4
const HIGH = 2 ** 32
const HIGHEST = Number.MAX_SAFE_INTEGER

type Ciphers = { readonly to: Cipheriv; readonly from: Decipheriv }

export function boundNumbers(keys: PurposeKeys): BoundNumbers {
  const ciphersOf = new WeakMap<Key, Ciphers>()
  const headOf = (beside: string) => {
    const head = Buffer.from(beside.slice(0, HEAD_CHARS), 'base64url')
    const key = keys.byId(head.subarray(0, KEY_ID_BYTES))
    if (key === null) return null
    const ciphers = ciphersOf.get(key) ?? makeCiphers(key)
    ciphersOf.set(key, ciphers)
    return { ciphers, tag: head.subarray(KEY_ID_BYTES) }
  }
  return {
    seal(beside, numbers) {
      const head = headOf(beside)
      if (head === null) throw new Error('numbers are sealed beside what this server sealed')
      const blocks = Buffer.allocUnsafe(numbers.length * BLOCK_BYTES)
      for (let row = 0, at = 0; row < numbers.length; row++, at += BLOCK_BYTES) {
        const number = numbers[row] ?? 0
        blocks.set(head.tag, at)
        blocks.writeUInt32BE(Math.floor(number / HIGH), at + TAG_BYTES)
        blocks.writeUInt32BE(number % HIGH, at + TAG_BYTES + 4)
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
      const number = block.readUInt32BE(TAG_BYTES) * HIGH + block.readUInt32BE(TAG_BYTES + 4)
      return block.subarray(0, TAG_BYTES).equals(head.tag) && number <= HIGHEST ? number : null
    },
  }
}

/** Block by block and nothing else: without padding these have no state, so one serves for ever. Making one is slow. */
function makeCiphers({ bytes }: Key): Ciphers {
  const key = Buffer.from(hkdfSync('sha256', bytes, '', 'bound numbers', 32))
  return {
    to: createCipheriv('aes-256-ecb', key, null).setAutoPadding(false),
    from: createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false),
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
