import { createHash, randomBytes } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import type { CommandLinePerson } from '#http/ports.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { queueMail } from '#mail/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { findAccount } from '../store.ts'
import {
  deleteOldestCommandLines,
  type Exchanged,
  exchangeCode,
  findCommandLine,
  insertCode,
  touchCommandLine,
} from './store.ts'

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
 * RFC 8252, 7.3: the loopback address itself with any port, so that the code stays on the person's own machine. `localhost` is
 * rejected, because a hosts file or a resolver may map it to another address (8.3). Only one path is accepted, because only our
 * own command line listens there.
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
  const isValid = port <= PORT_MAX && STATE.test(state) && CHALLENGE.test(challenge)
  if (!isValid || sent.code_challenge_method !== 'S256') return null
  return { redirectUri, state, challenge, device: deviceName(sent.device ?? '') }
}

export const COMMAND_LINE_PATH = '/command-line'
export const CONFIRM_PATH = `${COMMAND_LINE_PATH}/confirm`

/** The address of the page, with this request in its query. */
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

/** No vowels, so that a phrase is never a word, and no letters that look alike (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const PHRASE_LETTERS = 8

/**
 * The code phrase that the terminal and the page show, `BCDF-GHJK`: one letter for each of the first eight bytes of the
 * challenge's SHA-256, modulo 20. The terminal and the page derive it, so a link cannot show the phrase of another request.
 */
export function codePhrase(challenge: string): string {
  const bytes = createHash('sha256').update(challenge).digest().subarray(0, PHRASE_LETTERS)
  const letters = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** RFC 7636, 4.6. Null for a malformed verifier. */
function challengeOf(verifier: string): string | null {
  return VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : null
}

const SECRET_BYTES = 32
/** The prefix lets secret scanners find leaked tokens; docs/command-line-sign-in.md has the pattern. */
const TOKEN = /^portico_cli_[A-Za-z0-9_-]{43}$/
const CODE = /^portico_cli_code_[A-Za-z0-9_-]{43}$/
/** If the person allows one more command line, the session of the oldest command line ends. */
const COMMAND_LINES_PER_ACCOUNT = 20

const random = () => randomBytes(SECRET_BYTES).toString('base64url')

/** Returns a code for the command line. The code works once, within a minute, and only with the verifier. */
export async function allowCommandLine(
  tx: PlatformTx,
  caller: AccountCaller,
  { challenge, device }: CommandLineRequest,
): Promise<string> {
  const code = `portico_cli_code_${random()}`
  const { accountId: account, sessionHash: browserSession } = caller
  const isMade = await insertCode(tx, { codeHash: digestOf(code), account, device, challenge, browserSession })
  // The session or the account ended between the check at the edge and this transaction.
  if (!isMade)
    throw new ApiError('invalid_token', { public: 'You are no longer signed in.', remediation: 'Sign in again.' })
  await recordAudit(tx, { actor: account, action: 'account.command_line_allowed', subject: account })
  return code
}

type Attempt = { readonly code: string; readonly verifier: string }
type Deps = { readonly origin: () => string }

export type NewSession = { readonly token: string } & Pick<Exchanged, 'device' | 'expires_at' | 'expires_in'>

/** Null for an unknown, used or expired code, and for a wrong verifier. A wrong verifier also ends the code. */
export async function startCommandLine(tx: PlatformTx, deps: Deps, attempt: Attempt): Promise<NewSession | null> {
  if (!CODE.test(attempt.code)) return null
  // A malformed verifier ends the code too: the empty challenge matches no code.
  const challenge = challengeOf(attempt.verifier) ?? ''
  const token = `portico_cli_${random()}`
  const started = await exchangeCode(tx, {
    codeHash: digestOf(attempt.code),
    challenge,
    tokenHash: digestOf(token),
  })
  if (started === null) return null
  await deleteOldestCommandLines(tx, started.account_id, COMMAND_LINES_PER_ACCOUNT)
  await mailNewCommandLine(tx, deps, started)
  const { device, expires_at, expires_in } = started
  return { token, device, expires_at, expires_in }
}

const WHEN = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Mails the person about every new command line: a computer's name proves nothing, so no computer counts as known. */
async function mailNewCommandLine(tx: PlatformTx, { origin }: Deps, { id, account_id, device }: Exchanged) {
  const found = await findAccount(tx, account_id)
  if (found === null) return
  const letter = {
    subject: 'A command line may act for you',
    greeting: `Hello ${found.name},`,
    paragraphs: [
      'You allowed the command line on a computer to act for you in the developer portal.',
      'If this was you, there is nothing to do. If it was not, end the session on the page below, then change your password.',
    ],
    action: { label: 'See where you are signed in', url: `${origin()}/settings/security` },
    facts: [
      ['Computer', device],
      ['Time', `${WHEN.format(new Date())} UTC`],
    ] as const,
    notes: ['We do not store the address that a sign-in came from.'],
  }
  await queueMail(tx, { key: `new-command-line:${id}`, to: found.email, letter })
}

/**
 * The edge calls this port for a bearer token of a command line: it returns the person who allowed that command line. Nothing is cached
 * between requests.
 */
export async function personOfCommandLine(db: WorldDatabase, bearer: string): Promise<CommandLinePerson | null> {
  if (!TOKEN.test(bearer)) return null
  const hash = digestOf(bearer)
  const session = await findCommandLine(db, hash)
  if (session === null) return null
  // The request does not wait for this write. If it fails, the next request tries again.
  if (session.unseen_lately) touchCommandLine(db, hash).catch(() => {})
  const { id, account_id: accountId, name, email, proven_seconds_ago: provenSecondsAgo } = session
  const caller = { kind: 'account', accountId, name, email, sessionHash: hash, provenSecondsAgo } as const
  return { caller, confirmUrl: `${CONFIRM_PATH}?session=${id}` }
}
