import { randomBytes } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { replaceRecoveryCodes } from './store.ts'

const CODES = 10
/** Crockford's Base32: no letter that is taken for a digit. 16 of them are 80 bits, so their SHA-256 cannot be guessed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_CHARS = 16
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/

/** New codes in place of all earlier ones. They are returned once; the database holds their digests. */
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

/** As it was shown, whatever the case and the separators; null for what cannot be a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return FORM.test(code) ? code : null
}

export function digestOfCode(account: Id<'account'>, code: string): Buffer {
  return digestOf(`${account} ${code}`)
}
