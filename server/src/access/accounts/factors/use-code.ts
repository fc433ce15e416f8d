import { recordAudit } from '#access/audit/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type CountedWindows, countCodeAttempts, forgetAttempts } from '../sign-in/throttle.ts'
import { type FactorChange, mailFactorChange } from './letters.ts'
import { digestOfCode, readRecoveryCode } from './recovery-codes.ts'
import { findFactors, findTotpSecret, useRecoveryCode, useTotpStep } from './store.ts'
import { codeAsTyped, stepOfCode, type TotpSecrets } from './totp.ts'

export type CodeDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly totp: TotpSecrets
  readonly origin: () => string
}

export type CodeAttempt = { readonly account: Id<'account'>; readonly code: string; readonly address: string }

export type CodeOutcome<T> =
  | T
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

/**
 * Uses a code of the authenticator app or a recovery code, and does `next` in the same transaction: a code is used up exactly
 * when what it opened has happened. The attempt is counted before, in a statement that commits by itself.
 */
export async function withCode<T>(
  deps: CodeDeps,
  attempt: CodeAttempt,
  next: (tx: PlatformTx) => Promise<T>,
): Promise<CodeOutcome<T>> {
  const counting = await countCodeAttempts(deps.platform, deps.keys('sign-in'), attempt)
  if ('retryAfterSeconds' in counting) return { kind: 'too_many', ...counting }
  return deps.platform.transaction(async (tx) => {
    if (!(await useCode(tx, deps, attempt))) return { kind: 'wrong' }
    await forgetAttempts(tx, counting.counted satisfies CountedWindows)
    return next(tx)
  })
}

async function useCode(tx: PlatformTx, deps: CodeDeps, { account, code }: CodeAttempt): Promise<boolean> {
  const recovery = readRecoveryCode(code)
  return recovery === null ? useTotp(tx, deps, { account, code }) : useRecovery(tx, deps, { account, recovery })
}

async function useTotp(
  tx: PlatformTx,
  { totp, clock }: CodeDeps,
  { account, code }: Omit<CodeAttempt, 'address'>,
): Promise<boolean> {
  const sealed = await findTotpSecret(tx, account)
  const secret = sealed && totp.open(account, sealed)
  const step = secret === null ? null : stepOfCode(secret, codeAsTyped(code), clock.now())
  return step !== null && useTotpStep(tx, account, step)
}

type Recovering = { readonly account: Id<'account'>; readonly recovery: string }

async function useRecovery(tx: PlatformTx, { origin }: CodeDeps, { account, recovery }: Recovering): Promise<boolean> {
  if (!(await useRecoveryCode(tx, account, digestOfCode(account, recovery)))) return false
  const { recovery_codes: left } = await findFactors(tx, account)
  await recordAudit(tx, { actor: account, action: 'account.recovery_code_used', subject: account, details: { left } })
  const change: FactorChange = { kind: 'recovery_code_used', left }
  await mailFactorChange(tx, { account, origin, change })
  return true
}
