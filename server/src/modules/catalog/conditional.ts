import { createHash } from 'node:crypto'

type Headers = Readonly<Record<string, string>>
type Conditional<Body> =
  | { readonly status: 200; readonly body: Body; readonly headers: Headers }
  | { readonly status: 304; readonly body: null; readonly headers: Headers }

type Answer<Body> = { readonly etag: string; readonly body: Body; readonly ifNoneMatch: string | undefined }

/** Kept by whoever asked and by nobody between us, and asked about again each time. */
const KEPT = 'private, no-cache'

/** An answer that need not be sent again while it is the same. */
export function conditional<Body>({ etag, body, ifNoneMatch }: Answer<Body>): Conditional<Body> {
  const headers = { ETag: etag, 'Cache-Control': KEPT }
  return matches(ifNoneMatch, etag) ? { status: 304, body: null, headers } : { status: 200, body, headers }
}

/**
 * The tag of an answer that tells this, whenever it was fetched. Weak, because two answers with one tag mean the same and
 * differ in that.
 */
export function tagOf(told: unknown): string {
  return `W/"${digest(JSON.stringify(told))}"`
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

/** RFC 9110: a list of tags compared weakly, or `*` for whatever there is. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const bare = etag.slice(2)
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === bare)
}
