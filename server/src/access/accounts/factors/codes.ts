import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { encode } from 'uqr'
import { recordAudit } from '#access/audit/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Html, html } from '#pages/html.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type FactorChange, mailFactorChange } from '../letters.ts'
import { type CountedWindows, countCodeAttempts, forgetAttempts } from '../sign-in/throttle.ts'
import { findFactors, findTotpSecret, replaceRecoveryCodes, useRecoveryCode, useTotpStep } from './store.ts'

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
 * Uses a code of the authenticator app or a recovery code, and runs `next` in the same transaction: if `next` fails, the code
 * can be used again. The attempt is counted first, in a statement that commits by itself.
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

/**
 * RFC 6238: a new code every 30 seconds. The codes of the step before and after are accepted too, because clocks differ and people type
 * slowly.
 */
const STEP_SECONDS = 30
const CODE = /^\d{6}$/

/** 160 bits, in Base32 as authenticator apps expect it. */
export function newTotpSecret(): string {
  return generateSecret()
}

/** Removes spaces, because apps show one between the two halves of a code and people type it. */
export function codeAsTyped(text: string): string {
  return text.replaceAll(/\s/g, '')
}

/** The time step that this code belongs to; null for a wrong code. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null
  const epoch = Math.floor(nowMs / 1_000)
  const result = verifySync({ secret, token: code, epoch, period: STEP_SECONDS, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

export type TotpSecrets = {
  seal(account: Id<'account'>, secret: string): Buffer
  /** Null if the sealing secret with which the value was sealed is no longer configured. */
  open(account: Id<'account'>, sealed: Buffer): string | null
}

/** The account is part of the context, so a sealed value that is copied to another account's row cannot be opened there. */
export function totpSecrets(keys: Keyring): TotpSecrets {
  const box = sealedBox(keys('totp-secrets'))
  const context = (account: Id<'account'>) => `totp secret v1 ${account}`
  return {
    seal: (account, secret) => box.seal(Buffer.from(secret), context(account)),
    open: (account, sealed) => box.open(sealed, context(account))?.toString() ?? null,
  }
}

type Enrolment = { readonly issuer: string; readonly label: string; readonly secret: string }

/** What an authenticator app reads from the QR code. */
export function enrolmentAddress({ issuer, label, secret }: Enrolment): string {
  return generateURI({ issuer, label, secret, period: STEP_SECONDS })
}

/** Black on white in both colour schemes: cameras read it best. */
export function qrCode(text: string, label: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="232" height="232" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

const CODES = 10
/** Crockford's Base32 has no letters that look like 0 or 1. 16 characters are 80 bits, too many to guess from their SHA-256. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_CHARS = 16
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/

/** Replaces all earlier codes by new ones. The codes are returned once; the database stores only their digests. */
export async function issueRecoveryCodes(tx: PlatformTx, account: Id<'account'>): Promise<readonly string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await replaceRecoveryCodes(
    tx,
    account,
    codes.map((code) => digestOfCode(account, code)),
  )
  return codes.map((code) => code.replaceAll(/.{4}(?!$)/g, '$&-'))
}

function newCode(): string {
  return [...randomBytes(CODE_CHARS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
}

/** The code in upper case and without separators, with O, I and L read as digits. Null for a malformed code. */
function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return FORM.test(code) ? code : null
}

function digestOfCode(account: Id<'account'>, code: string): Buffer {
  return digestOf(`${account} ${code}`)
}
