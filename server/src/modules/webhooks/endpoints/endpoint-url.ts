import { validationError } from '#kernel/errors.ts'
import { judgeUrl } from '#system/outbound/judge-url.ts'
import type { Reach } from '#system/outbound/reach.ts'

/**
 * "`https` to public addresses only". A name is not resolved here: where it leads is decided at every connection, and one
 * that does not resolve yet may do so tomorrow. Kept as it was written, but for the scheme's letters.
 */
export function acceptedUrl(url: string, reach: Reach): string {
  const verdict = judgeUrl(url, reach)
  if (!verdict.allowed) throw validationError([{ field: 'url', code: verdict.why, message: verdict.message }])
  return url.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
}
