import { recordAudit } from '#access/audit/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type FactorChange, mailFactorChange } from '../letters.ts'
import { lockAccount } from '../store.ts'
import { issueRecoveryCodes } from './codes.ts'
import {
  asksSecondStep,
  deleteFactorsOf,
  deletePasskey,
  deleteTotp,
  type FactorsInForce,
  findFactors,
  insertPasskey,
  insertTotp,
  type NewPasskey,
  replaceRecoveryCodes,
} from './store.ts'

export type Changing = { readonly account: Id<'account'>; readonly origin: () => string }

/** Recovery codes are issued with the first factor; without them a person who loses their phone would be locked out. */
export type FactorAdded = { readonly kind: 'added'; readonly codes: readonly string[] | null }

/** Every change of an account's factors locks the account first, so that it sees the result of the previous change. */
export async function addTotp(
  tx: PlatformTx,
  { account, origin }: Changing,
  { sealedSecret, step }: { readonly sealedSecret: Buffer; readonly step: number },
): Promise<FactorAdded | { readonly kind: 'exists' }> {
  await lockAccount(tx, account)
  const before = await findFactors(tx, account)
  if (!(await insertTotp(tx, { account, sealedSecret, step }))) return { kind: 'exists' }
  return added(tx, { account, origin, before, change: { kind: 'totp_added' } })
}

export async function addPasskey(
  tx: PlatformTx,
  { account, origin }: Changing,
  passkey: NewPasskey,
): Promise<FactorAdded | { readonly kind: 'exists' | 'too_many' }> {
  await lockAccount(tx, account)
  const before = await findFactors(tx, account)
  if (before.passkeys >= PASSKEYS_MAX) return { kind: 'too_many' }
  if (!(await insertPasskey(tx, passkey))) return { kind: 'exists' }
  return added(tx, { account, origin, before, change: { kind: 'passkey_added', name: passkey.name } })
}

/**
 * Adds the passkey of an account that this transaction creates. No mail reports it, because the person is creating the account
 * and the passkey right now. Returns the recovery codes.
 */
export async function addFirstPasskey(tx: PlatformTx, passkey: NewPasskey): Promise<readonly string[]> {
  const { account_id: account } = passkey
  if (!(await insertPasskey(tx, passkey))) throw new Error('the first passkey of a new account is known already')
  await recordAudit(tx, { actor: account, action: 'account.passkey_added', subject: account })
  return issueRecoveryCodes(tx, account)
}

export const PASSKEYS_MAX = 20

type Added = Changing & { readonly before: FactorsInForce; readonly change: FactorChange }

async function added(tx: PlatformTx, { account, origin, before, change }: Added): Promise<FactorAdded> {
  await note(tx, { account, origin }, change)
  return { kind: 'added', codes: asksSecondStep(before) ? null : await issueRecoveryCodes(tx, account) }
}

/** The audit gets no passkey names, because it cannot be erased. */
async function note(tx: PlatformTx, { account, origin }: Changing, change: FactorChange): Promise<void> {
  await recordAudit(tx, { actor: account, action: `account.${change.kind}`, subject: account })
  await mailFactorChange(tx, { account, origin, change })
}

export async function removeTotp(tx: PlatformTx, { account, origin }: Changing): Promise<void> {
  await lockAccount(tx, account)
  if (!(await deleteTotp(tx, account))) return
  await dropUnusedCodes(tx, account)
  await note(tx, { account, origin }, { kind: 'totp_removed' })
}

/** `only_way`: the account has no other way to sign in. */
export async function removePasskey(
  tx: PlatformTx,
  { account, origin }: Changing,
  id: string,
): Promise<'deleted' | 'unknown' | 'only_way'> {
  await lockAccount(tx, account)
  const { passkeys, has_password, issuers } = await findFactors(tx, account)
  if (passkeys === 1 && !has_password && issuers === 0) return 'only_way'
  const name = await deletePasskey(tx, account, id)
  if (name === null) return 'unknown'
  await dropUnusedCodes(tx, account)
  await note(tx, { account, origin }, { kind: 'passkey_removed', name })
  return 'deleted'
}

/** Recovery codes replace a factor; without a factor there is nothing to recover. */
async function dropUnusedCodes(tx: PlatformTx, account: Id<'account'>): Promise<void> {
  if (!asksSecondStep(await findFactors(tx, account))) await replaceRecoveryCodes(tx, account, [])
}

/** Null for an account without a factor. */
export async function renewRecoveryCodes(
  tx: PlatformTx,
  { account, origin }: Changing,
): Promise<readonly string[] | null> {
  await lockAccount(tx, account)
  if (!asksSecondStep(await findFactors(tx, account))) return null
  await note(tx, { account, origin }, { kind: 'recovery_codes_made' })
  return issueRecoveryCodes(tx, account)
}

/** Removes all factors of a person who lost their phone, passkeys and codes. The operator verifies the person's identity first. */
export async function resetFactors(tx: PlatformTx, { account, origin }: Changing, actor: string): Promise<void> {
  await lockAccount(tx, account)
  const { totp, passkeys } = await findFactors(tx, account)
  await deleteFactorsOf(tx, account)
  await recordAudit(tx, { actor, action: 'account.factors_reset', subject: account, details: { totp, passkeys } })
  if (totp || passkeys > 0) await mailFactorChange(tx, { account, origin, change: { kind: 'factors_reset' } })
}
