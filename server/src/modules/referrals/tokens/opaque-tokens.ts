import { createHmac, type KeyObject } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'

/** 144 bits: two alike are not to be expected, and a multiple of 3 bytes has no padding. */
const TOKEN_BYTES = 18

export type OpaqueTokens = { readonly investment_token: string; readonly investor_token: string }

/** As an object where many tokens are made under one key: Node makes one of bytes for every token, at five times the cost. */
export type TokenKey = Buffer | KeyObject

type Row = { readonly investment: Id<'investment'>; readonly investor: Id<'user'> }

/**
 * "Opaque investment and investor tokens … Tokens match those of investment.referred for the same company and differ between
 * companies." One way (HMAC-SHA256) under the key of the app and company: nobody without the key can tell whose a token
 * is, nor try out ids, nor see one person behind the tokens of two companies or two apps.
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
