import type { FillRandom } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'

/** No vowels, hence no words, and nothing that is mistaken for something else when it is read out (0 and o, 1 and l). */
const ALPHABET = 'bcdfghjkmnpqrstvwxyz23456789'
const CHARS = 10
/** 28 × 9: bytes from here up would favour the first letters, so they are drawn again. */
const UNBIASED_BELOW = 252

/** For an app that does not care how its code reads. 28^10: two alike are not to be expected. */
export function generatedCode(fill: FillRandom = fillRandom): string {
  let code = ''
  const bytes = new Uint8Array(CHARS * 2)
  while (code.length < CHARS) {
    fill(bytes)
    const letters = [...bytes]
      .filter((byte) => byte < UNBIASED_BELOW)
      .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    code = (code + letters.join('')).slice(0, CHARS)
  }
  return code
}
