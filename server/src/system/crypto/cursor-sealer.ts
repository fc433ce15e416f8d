import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import type { SealedBox } from './sealed-box.ts'

/** Longer than any cursor we make; longer input is not worth decoding. */
const CURSOR_CHARS_MAX = 1_024

export function cursorSealer(box: SealedBox): CursorSealer {
  return {
    seal: (kind, values) => box.seal(Buffer.from(JSON.stringify(values)), context(kind)).toString('base64url'),
    open(kind, cursor) {
      if (cursor.length > CURSOR_CHARS_MAX) return null
      const sealed = Buffer.from(cursor, 'base64url')
      // Base64 has spare bits and Node skips foreign characters: only the one spelling we wrote is accepted.
      if (sealed.toString('base64url') !== cursor) return null
      const plain = box.open(sealed, context(kind))
      return plain === null ? null : (JSON.parse(plain.toString()) as CursorValue[])
    },
  }
}

function context({ kind, version }: CursorKind): string {
  return `cursor ${kind} v${version}`
}
