import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import type { Tx } from '#system/postgres/database.ts'
import { findKeys, insertKeys, lockOutdated, type Pair, type SealedKey, type StoredKey, writeSealed } from './store.ts'

/**
 * "Keyed one-way, per company and app, the key never leaving the server, rotation without breaking the match": each pair of
 * an app and a company has its own random key, which never changes. The database stores the key sealed with the sealing secret.
 * After a rotation of that secret the same key is sealed again, so the tokens stay the same.
 */
export type TokenKeyBox = {
  /** A new key, and its sealed form. */
  make(pair: Pair): SealedKey & { readonly key: Buffer }
  /** Null if the secret that sealed the key is no longer configured. */
  open(pair: Pair, sealed: Buffer): Buffer | null
  /** The same key, sealed with the current secret. Throws if the secret that sealed it is no longer configured. */
  sealAgain(pair: Pair, sealed: Buffer): SealedKey
  /** The ids of the previous sealing secrets, as stored beside each key. */
  readonly previousSecretIds: readonly string[]
}

const KEY_BYTES = 32

/** `keys`: the keys of the purpose `referral-tokens`. */
export function tokenKeyBox(keys: PurposeKeys): TokenKeyBox {
  const box = sealedBox(keys)
  const sealedBy = keys.current.id.toString('hex')
  const seal = (pair: Pair, key: Buffer) => ({ sealed: box.seal(key, contextOf(pair)), sealedBy })
  return {
    previousSecretIds: keys.previous.map(({ id }) => id.toString('hex')),
    make: (pair) => {
      const key = Buffer.alloc(KEY_BYTES)
      fillRandom(key)
      return { key, ...seal(pair, key) }
    },
    open: (pair, sealed) => box.open(sealed, contextOf(pair)),
    sealAgain: (pair, sealed) => seal(pair, keyOrThrow(box.open(sealed, contextOf(pair)), pair)),
  }
}

/** Throws, because a new key would silently change all tokens. */
export function keyOrThrow(key: Buffer | null, pair: Pair): Buffer {
  if (key !== null) return key
  const whose = `${pair.app} on ${pair.company}`
  throw new Error(`the referral token key of ${whose} cannot be opened. Configure the previous sealing secret again.`)
}

/** A key that was copied to another pair's row does not open there. */
function contextOf({ app, company }: Pair): string {
  return `referral tokens ${app} ${company}`
}

/** 144 bits: two tokens are practically never equal. A multiple of 3 bytes needs no padding in base64. */
const TOKEN_BYTES = 18

export type OpaqueTokens = { readonly investment_token: string; readonly investor_token: string }

/**
 * Pass a KeyObject to make many tokens with one key. From a Buffer, Node creates a KeyObject for every token, at five
 * times the cost.
 */
export type TokenKey = Buffer | KeyObject

type Row = { readonly investment: Id<'investment'>; readonly investor: Id<'user'> }

/**
 * "Opaque investment and investor tokens … Tokens match those of investment.referred for the same company and differ between
 * companies." One way (HMAC-SHA256) under the key of the app and company: without the key, a reader
 * cannot find the investor of a token, try out ids, or link the tokens of two companies or two apps.
 */
export function opaqueTokens(key: TokenKey, { investment, investor }: Row): OpaqueTokens {
  return {
    investment_token: tokenOf(key, `investment ${investment}`),
    investor_token: tokenOf(key, `investor ${investor}`),
  }
}

function tokenOf(key: TokenKey, what: string): string {
  return createHmac('sha256', key).update(what).digest().subarray(0, TOKEN_BYTES).toString('base64url')
}

/** Null if the key cannot be opened. */
export type KeyOf = (pair: Pair) => KeyObject | null

/** The keys of many pairs at once, like `keyOfPair` for one; a missing key is created. */
export async function keysOfPairs(tx: Tx, box: TokenKeyBox, pairs: readonly Pair[]): Promise<KeyOf> {
  const keys = new Map<string, KeyObject | null>()
  const open = (found: readonly StoredKey[]) => {
    for (const { sealed, ...pair } of found) {
      const key = box.open(pair, sealed)
      keys.set(nameOf(pair), key && createSecretKey(key))
    }
  }
  const wanted = [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()]
  open(await findKeys(tx, wanted))
  const missing = wanted.filter((pair) => !keys.has(nameOf(pair)))
  if (missing.length > 0) {
    await insertKeys(
      tx,
      missing.map((pair) => ({ ...pair, ...box.make(pair) })),
    )
    // Read again: if a concurrent transaction has inserted a key first, that key counts.
    open(await findKeys(tx, missing))
  }
  return (pair) => {
    const key = keys.get(nameOf(pair))
    if (key === undefined) throw new Error('a token key that was inserted cannot be found')
    return key
  }
}

const nameOf = ({ app, company }: Pair) => `${app} ${company}`

/**
 * After a rotation of the sealing secret, seals the same keys with the new secret, so that the previous one can be removed. A
 * key that no known secret opens stays unchanged until its secret is configured again.
 */
export async function resealKeys(tx: Tx, box: TokenKeyBox, limit: number): Promise<number> {
  if (box.previousSecretIds.length === 0) return 0
  const outdated = await lockOutdated(tx, box.previousSecretIds, limit)
  for (const { app, company, sealed } of outdated) {
    const pair = { app, company }
    await writeSealed(tx, pair, box.sealAgain(pair, sealed))
  }
  return outdated.length
}
