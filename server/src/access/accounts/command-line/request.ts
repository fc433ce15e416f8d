import { createHash } from 'node:crypto'

/** The request with which a command line opens its page in the browser. */
export type CommandLineRequest = {
  readonly redirectUri: string
  readonly state: string
  readonly challenge: string
  readonly device: string
}

type SentRequest = {
  readonly redirect_uri?: string
  readonly state?: string
  readonly code_challenge?: string
  readonly code_challenge_method?: string
  readonly device?: string
}

/**
 * RFC 8252, 7.3: the loopback address itself with any port, so that the answer stays on the person's own machine. Not `localhost`,
 * which a hosts file or a resolver may send elsewhere (8.3). One path, because only our own command line listens there.
 */
const REDIRECT_URI = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})\/callback$/
const PORT_MAX = 65_535
const STATE = /^[A-Za-z0-9._~-]{16,200}$/
/** RFC 7636, 4.2: a SHA-256 in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Null for a request that our command line would not make. Naming the mistake would help only an attacker. */
export function readRequest(sent: SentRequest): CommandLineRequest | null {
  const { redirect_uri: redirectUri = '', state = '', code_challenge: challenge = '' } = sent
  const port = Number(REDIRECT_URI.exec(redirectUri)?.[1] ?? Number.NaN)
  const isRead = port <= PORT_MAX && STATE.test(state) && CHALLENGE.test(challenge)
  if (!isRead || sent.code_challenge_method !== 'S256') return null
  return { redirectUri, state, challenge, device: deviceName(sent.device ?? '') }
}

export const COMMAND_LINE_PATH = '/command-line'
export const CONFIRM_PATH = `${COMMAND_LINE_PATH}/confirm`

/** The page's own address with this request. */
export function addressOf({ redirectUri, state, challenge, device }: CommandLineRequest): string {
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  return `${COMMAND_LINE_PATH}?${new URLSearchParams({ redirect_uri: redirectUri, state, ...pkce, device })}`
}

const DEVICE_CHARS_MAX = 60
const NOT_IN_A_NAME = /[^\p{L}\p{N} ._'’()-]+/gu

/** Reduces a computer's name to letters, digits and a few signs, because we store it and show it on pages. */
export function deviceName(text: string): string {
  const plain = text.normalize('NFC').replaceAll(NOT_IN_A_NAME, '-').trim()
  return [...plain].slice(0, DEVICE_CHARS_MAX).join('').trim() || 'this computer'
}

/** No vowels, so that the phrase spells no words, and no letters that look alike (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const PHRASE_LETTERS = 8

/**
 * The code phrase that the terminal and the page show, `BCDF-GHJK`: one letter for each of the first eight bytes of the
 * challenge's SHA-256, modulo 20. Both sides derive it, so a link cannot show the phrase of another request.
 */
export function codePhrase(challenge: string): string {
  const bytes = createHash('sha256').update(challenge).digest().subarray(0, PHRASE_LETTERS)
  const letters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** RFC 7636, 4.6. Null for a malformed verifier. */
export function challengeOf(verifier: string): string | null {
  return VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : null
}
