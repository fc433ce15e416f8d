/** An answer that is data needs nothing from anywhere, should a browser ever show it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

type PolicyParts = {
  /** Origins (or schemes) beyond ours that a form of the page may lead to, be it by a redirect after it was sent. */
  readonly formAction?: readonly string[]
  /** Origins that may show the page in a frame: only for what changes nothing. None, if left out. */
  readonly frameAncestors?: readonly string[]
  /** What the page itself may show in a frame. Nothing, if left out. */
  readonly frames?: readonly string[]
  /** Scripts of this origin: for pages that use passkeys, which browsers give to scripts alone. */
  readonly scripts?: boolean
}

/**
 * Pages for people run no scripts, but those that use passkeys: so `default-src 'none'` stands for scripts and connections. Styles,
 * fonts and images come from this origin alone, and nobody frames a page unless the page says who. The reference at /docs has a policy of its own.
 */
export function pagePolicy({
  formAction = [],
  frameAncestors = ["'none'"],
  frames = [],
  scripts = false,
}: PolicyParts = {}): string {
  return [
    "default-src 'none'",
    ...(scripts ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ...(frames.length === 0 ? [] : [['frame-src', ...frames].join(' ')]),
    ["form-action 'self'", ...formAction].join(' '),
    "base-uri 'none'",
    ['frame-ancestors', ...frameAncestors].join(' '),
  ].join('; ')
}

const TWO_YEARS_SECONDS = 63_072_000

/** On every answer. `no-store` is the default because most answers belong to one caller; a route may say otherwise. */
export function securityHeaders({ https }: { readonly https: boolean }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(https ? { 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}; includeSubDomains` } : {}),
  }
}

/**
 * No Cross-Origin-Opener-Policy: apps open consent in a window of its own and wait for it to come back, which that
 * header would cut off. The pages run no script, so the other window can do no more with them than send them elsewhere.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy(),
  // Not `no-referrer`: under it browsers send forms with the origin `null`, and we could not tell ours from others'.
  'referrer-policy': 'same-origin',
}

/** Header names that carry the brand: `wefunder` gives `Wefunder-Version`. */
export type BrandHeaders = { readonly version: string; readonly versionLatest: string }

export function brandHeaders(brand: string): BrandHeaders {
  if (!/^[a-z][a-z0-9]*$/.test(brand)) throw new Error(`a brand is lower-case letters and digits: ${brand}`)
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  return { version: `${name}-Version`, versionLatest: `${name}-Version-Latest` }
}
