/** Reading a few random bytes from the system takes as long as reading a page of them, so we read a whole page at once. */
const POOL_BYTES = 4_096

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Fills the array with unpredictable bytes. No byte is used twice, and used bytes are erased from the pool. */
export function fillRandom(bytes: Uint8Array): void {
  const { length } = bytes
  if (length > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} random bytes at once, not ${length}`)
  if (used + length > POOL_BYTES) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  bytes.set(pool.subarray(used, used + length))
  pool.fill(0, used, used + length)
  used += length
}
