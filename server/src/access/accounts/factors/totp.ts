import { generateSecret, generateURI, verifySync } from 'otplib'
import { encode } from 'uqr'
import type { Id } from '#kernel/ids.ts'
import { type Html, html } from '#pages/html.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'

/** RFC 6238: a code every 30 seconds, and one step to either side for clocks that differ and people who type slowly. */
const STEP_SECONDS = 30
const CODE = /^\d{6}$/

/** 160 bits, in Base32 as authenticator apps take it. */
export function newTotpSecret(): string {
  return generateSecret()
}

/** People type the space that apps show between the two halves. */
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
  /** Null where the sealing secret that it was sealed with is no longer listed. */
  open(account: Id<'account'>, sealed: Buffer): string | null
}

/** The account is part of the context: a row that was copied to another account opens nothing there. */
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

/** Black on white in both colour schemes: cameras need it so. */
export function qrCode(text: string, label: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="232" height="232" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
