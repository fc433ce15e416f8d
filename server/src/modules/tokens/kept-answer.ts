import { hkdfSync } from 'node:crypto'
import type { ScopeName } from '#modules/scopes/index.ts'
import { KEY_ID_BYTES } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'

/** What a rotation gave, for the client that lost it. */
export type KeptAnswer = {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly ScopeName[]
  readonly createdAt: number
}

const CONTEXT = 'refresh answer'
const KEY_BYTES = 32

/**
 * The key comes from the token that was rotated, of which we keep a digest alone: who has the database, and even our
 * sealing secret, opens nothing with it.
 */
function boxOf(presented: string): SealedBox {
  const bytes = Buffer.from(hkdfSync('sha256', presented, 'portico', CONTEXT, KEY_BYTES))
  // Each box has one key, so the id that tells keys apart says nothing.
  const key = { id: Buffer.alloc(KEY_ID_BYTES), bytes }
  return sealedBox({ current: key, previous: [], byId: () => key })
}

export function sealAnswer(presented: string, answer: KeptAnswer): Buffer {
  return boxOf(presented).seal(Buffer.from(JSON.stringify(answer)), CONTEXT)
}

/** Null when the token is another one than it was sealed with. */
export function openAnswer(presented: string, sealed: Buffer): KeptAnswer | null {
  const plain = boxOf(presented).open(sealed, CONTEXT)
  return plain === null ? null : (JSON.parse(plain.toString()) as KeptAnswer)
}
