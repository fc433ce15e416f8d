import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  BLOCK_BYTES,
  type BoundNumbers,
  type boundNumbers as ours,
} from '../../server/src/system/crypto/bound-numbers.ts'

export { BLOCK_BYTES, BOUND_CHARS, writeBound } from '../../server/src/system/crypto/bound-numbers.ts'

const NUMBER_BYTES = 8

/**
 * Protects each row number with the first bytes of an HMAC (node:crypto) over the number and the sealed box of its page. This
 * function replaces the server's `boundNumbers` in a process started with `instead-hooks.ts`. It uses only one secret, which is
 * enough for a bench.
 */
export function boundNumbers({ numbers: { current } }: Parameters<typeof ours>[0]): BoundNumbers {
  const tagOf = (beside: string, number: Buffer) =>
    createHmac('sha256', current.secret)
      .update(beside)
      .update(number)
      .digest()
      .subarray(0, BLOCK_BYTES - NUMBER_BYTES)
  return {
    seal(beside, numbers) {
      const blocks = Buffer.alloc(numbers.length * BLOCK_BYTES)
      for (const [row, number] of numbers.entries()) {
        const at = row * BLOCK_BYTES
        blocks.writeBigUInt64BE(BigInt(number), at)
        blocks.set(tagOf(beside, blocks.subarray(at, at + NUMBER_BYTES)), at + NUMBER_BYTES)
      }
      return blocks
    },
    open(beside, sealed) {
      const block = Buffer.from(sealed, 'base64url')
      const number = block.subarray(0, NUMBER_BYTES)
      const given = block.subarray(NUMBER_BYTES)
      const isOurs = given.length === NUMBER_BYTES && timingSafeEqual(given, tagOf(beside, number))
      return isOurs ? Number(number.readBigUInt64BE()) : null
    },
  }
}
