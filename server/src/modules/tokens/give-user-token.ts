import type { ScopeName } from '#modules/scopes/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { LIFETIME_SECONDS } from './lifetimes.ts'
import { insertToken, type TokenRow } from './store.ts'

type UserRow = Omit<TokenRow, 'hash' | 'kind' | 'lifetimeSeconds' | 'scopes' | 'familyId'> & {
  readonly familyId: string
  readonly scopes: readonly ScopeName[]
}

type GivenToken = { readonly accessToken: string; readonly createdAt: number }

/** The access token of a family, new with each rotation. */
export async function giveUserToken(tx: Tx, row: UserRow): Promise<GivenToken> {
  const accessToken = newSecret('at', tx.world)
  const lifetimeSeconds = LIFETIME_SECONDS.user
  const { createdAt } = await insertToken(tx, {
    ...row,
    kind: 'user',
    hash: digestOf(accessToken),
    lifetimeSeconds,
  })
  return { accessToken, createdAt }
}
