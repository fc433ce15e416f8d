import { createHmac, type KeyObject } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { fillRandom } from '#kernel/random.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'

/** One app's tokens for one company are made under one key. */
export type Pair = { readonly app: Id<'app'>; readonly company: Id<'company'> }

/**
 * "Keyed one-way, per company and app, the key never leaving the server, rotation without breaking the match": the key of a
 * pair is random, never changes, and is stored sealed with the sealing secret. After a rotation of that secret the same key is
 * sealed again, so the tokens stay the same.
 */
export type TokenKeyBox = {
  /** A new key, and its sealed form. */
  make(pair: Pair): SealedKey & { readonly key: Buffer }
  /** Null if the secret that sealed it is gone. */
  open(pair: Pair, sealed: Buffer): Buffer | null
  /** The same key, sealed with the current secret; throws if its earlier secret is gone. */
  sealAgain(pair: Pair, sealed: Buffer): SealedKey
  /** The fingerprints of earlier secrets. */
  readonly sealedBefore: readonly string[]
}

export type SealedKey = { readonly sealed: Buffer; readonly sealedBy: string }

const KEY_BYTES = 32

/** `keys`: the keys of the purpose `referral-tokens`. */
export function tokenKeyBox(keys: PurposeKeys): TokenKeyBox {
  const box = sealedBox(keys)
  const sealedBy = keys.current.id.toString('hex')
  const seal = (pair: Pair, key: Buffer) => ({ sealed: box.seal(key, contextOf(pair)), sealedBy })
  return {
    sealedBefore: keys.previous.map(({ id }) => id.toString('hex')),
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
  throw new Error(`the referral token key of ${whose} cannot be opened: is an earlier sealing secret missing?`)
}

/** A key that was copied to another pair's row does not open there. */
function contextOf({ app, company }: Pair): string {
  return `referral tokens ${app} ${company}`
}

/** 144 bits: two tokens are practically never equal. A multiple of 3 bytes needs no padding in base64. */
const TOKEN_BYTES = 18

export type OpaqueTokens = { readonly investment_token: string; readonly investor_token: string }

/** A KeyObject for many tokens of one key: from bytes, Node would create one for every token, at five times the cost. */
export type TokenKey = Buffer | KeyObject

type Row = { readonly investment: Id<'investment'>; readonly investor: Id<'user'> }

/**
 * "Opaque investment and investor tokens … Tokens match those of investment.referred for the same company and differ between
 * companies." One way (HMAC-SHA256) under the key of the app and company: without the key, a reader can neither tell
 * whose a token is, nor try out ids, nor link the tokens of two companies or two apps.
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
