import { createHmac } from 'node:crypto'

export type SignatureVerdict = 'valid' | 'malformed_header' | 'timestamp_out_of_tolerance' | 'signature_mismatch'

type Signed = { readonly header: string; readonly body: Buffer; readonly nowSeconds: number }

const TOLERANCE_SECONDS = 300

/**
 * Checks `t=…,v1=…` as a receiver does. It is written from the description of the scheme and shares no code with the
 * signer, not even the HMAC.
 */
export function checkSignature(secret: string, { header, body, nowSeconds }: Signed): SignatureVerdict {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (wanted: string) => parts.filter(([key]) => key === wanted).map(([, value = '']) => value)
  const [t = ''] = valuesOf('t')
  const candidates = valuesOf('v1')
  if (!/^\d+$/.test(t) || candidates.length === 0) return 'malformed_header'
  if (Math.abs(nowSeconds - Number(t)) > TOLERANCE_SECONDS) return 'timestamp_out_of_tolerance'
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return candidates.includes(expected) ? 'valid' : 'signature_mismatch'
}
