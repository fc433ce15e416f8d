/** In this order: most browsers also name the ones they want to be taken for. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const UNKNOWN = 'An unknown browser'
/** Longer than any browser's; the rest is not looked at. */
const USER_AGENT_CHARS_MAX = 500

/**
 * Browser and system in words, for the person who owns the session. Only these words are stored: not the header itself, which is
 * close to a fingerprint, and no address, which would say where the person was.
 */
export function deviceLabel(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, USER_AGENT_CHARS_MAX)
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0]
  if (browser === undefined) return system === undefined ? UNKNOWN : `${UNKNOWN} on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
