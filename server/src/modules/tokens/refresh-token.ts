import { randomBytes } from 'node:crypto'
import { WORLDS, type World } from '#kernel/world.ts'
import { digestOf } from '#system/crypto/secret.ts'

/**
 * `rt_test_` and 48 bytes: the name of the family (16, the same in all tokens of it) and a proof (32, new with each).
 * The name finds the row; only the whole token says whether it is the newest.
 */
export type RefreshToken = {
  readonly text: string
  readonly world: World
  readonly nameHash: Buffer
  readonly hash: Buffer
}

const NAME_BYTES = 16
const PROOF_BYTES = 32
/** 48 bytes fill 64 letters to the last bit, so that no other spelling decodes to the same. */
const BODY = /^[A-Za-z0-9_-]{64}$/

const prefix = (world: World) => `rt_${world}_`

export function newRefreshToken(world: World): RefreshToken {
  return tokenOf(world, randomBytes(NAME_BYTES + PROOF_BYTES))
}

/** Of the same family, with a proof of its own. */
export function successorOf({ text, world }: RefreshToken): RefreshToken {
  return tokenOf(world, Buffer.concat([bytesOf(world, text).subarray(0, NAME_BYTES), randomBytes(PROOF_BYTES)]))
}

/** Null for what cannot be a refresh token: it is not worth a look into the database. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const world = WORLDS.find((name) => text.startsWith(prefix(name)))
  if (world === undefined || !BODY.test(text.slice(prefix(world).length))) return null
  return tokenOf(world, bytesOf(world, text))
}

function tokenOf(world: World, bytes: Buffer): RefreshToken {
  const text = prefix(world) + bytes.toString('base64url')
  return { text, world, nameHash: digestOf(bytes.subarray(0, NAME_BYTES).toString('base64url')), hash: digestOf(text) }
}

function bytesOf(world: World, text: string): Buffer {
  return Buffer.from(text.slice(prefix(world).length), 'base64url')
}
