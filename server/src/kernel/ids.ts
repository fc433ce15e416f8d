import { fillRandom } from './random.ts'
import { WORLDS, type World } from './world.ts'

/**
 * An id is a prefix that names its kind, then 24 base62 characters: 8 encode the time in milliseconds, 16 are random (95 bits).
 * Base62 in ASCII order sorts by time under `collate "C"`, so an id is also a keyset position.
 */
export const ID_PREFIX = {
  company: 'co_',
  offering: 'ofr_',
  investment: 'inv_',
  user: 'usr_',
  syndicate: 'syn_',
  membership: 'mem_',
  joinSession: 'js_',
  installation: 'inst_',
  event: 'evt_',
  webhookEndpoint: 'whe_',
  delivery: 'dlv_',
  intent: 'int_',
  investmentSession: 'is_',
  inviteLink: 'il_',
  referralCode: 'rc_',
  app: 'app_',
  organization: 'org_',
  request: 'req_',
  comment: 'cmt_',
  update: 'upd_',
  raise: 'rse_',
  account: 'acct_',
  operatorKey: 'opk_',
  organizationInvitation: 'oi_',
  activityEntry: 'act_',
  notice: 'ntc_',
  joinTheme: 'thm_',
} as const

export type IdKind = keyof typeof ID_PREFIX
declare const idKind: unique symbol
/** A string from `newId` or `parseId`. With this type an id of one kind cannot be passed as an id of another kind. */
export type Id<K extends IdKind> = string & { readonly [idKind]: K }

/**
 * Fills the array with random bytes. Tests and the demo pass a function of their own, to get the same ids again. A function
 * that writes zeros gives the lowest id of a time.
 */
export type FillRandom = (bytes: Uint8Array) => void

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TIME_CHARS = 8
const RANDOM_CHARS = 16
const BODY = /^[0-9A-Za-z]{24}$/
/** 62 × 4. Bytes from 248 up would make the first characters of the alphabet more likely, so they are skipped. */
const UNBIASED_BELOW = 248

export function newId<K extends IdKind>(kind: K, nowMs: number = Date.now(), fill: FillRandom = fillRandom): Id<K> {
  return `${ID_PREFIX[kind]}${newIdBody(nowMs, fill)}` as Id<K>
}

/** The part after the prefix, for values whose prefix is not in `ID_PREFIX`, or that have no prefix. */
export function newIdBody(nowMs: number = Date.now(), fill: FillRandom = fillRandom): string {
  return timePart(nowMs) + randomPart(fill)
}

/** Null for text that is not a well-formed id of this kind; the caller decides whether that is a 404 or a 400. */
export function parseId<K extends IdKind>(kind: K, text: unknown): Id<K> | null {
  if (typeof text !== 'string') return null
  const prefix = ID_PREFIX[kind]
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length)) ? (text as Id<K>) : null
}

const KIND_OF_PREFIX: ReadonlyMap<string, IdKind> = new Map(
  (Object.keys(ID_PREFIX) as IdKind[]).map((kind) => [ID_PREFIX[kind], kind]),
)

/** The kind of record that an id names; null if it is not a well-formed id. */
export function kindOfId(text: unknown): IdKind | null {
  if (typeof text !== 'string') return null
  const kind = KIND_OF_PREFIX.get(text.slice(0, text.indexOf('_') + 1))
  return kind !== undefined && parseId(kind, text) !== null ? kind : null
}

/** Milliseconds since 1970 at which the id was made. */
export function timeOfId(id: Id<IdKind>): number {
  let ms = 0
  const begin = id.lastIndexOf('_') + 1
  for (let at = begin; at < begin + TIME_CHARS; at++) ms = ms * 62 + ALPHABET.indexOf(id.charAt(at))
  return ms
}

/** The JSON Schema pattern of a kind, for route schemas. */
export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIX[kind]}[0-9A-Za-z]{24}$`
}

function timePart(ms: number): string {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`not a time in milliseconds: ${ms}`)
  let rest = ms
  let out = ''
  for (let i = 0; i < TIME_CHARS; i++) {
    out = ALPHABET.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}

function randomPart(fill: FillRandom): string {
  const bytes = new Uint8Array(RANDOM_CHARS * 2)
  let out = ''
  while (out.length < RANDOM_CHARS) {
    fill(bytes)
    for (const byte of bytes) {
      if (byte < UNBIASED_BELOW) out += ALPHABET.charAt(byte % 62)
      if (out.length === RANDOM_CHARS) break
    }
  }
  return out
}

/**
 * The id of an app's key. OAuth's client id and the publishable key are the same public text. Its prefix names the world of every
 * token that an app obtains with the key.
 */
declare const clientId: unique symbol
export type ClientId = string & { readonly [clientId]: true }

const prefix = (world: World) => `pk_${world}_`

export function newClientId(world: World): ClientId {
  return (prefix(world) + newIdBody()) as ClientId
}

/** Null for text that cannot be a key, which saves the database lookup. */
export function parseClientId(text: string): { readonly id: ClientId; readonly world: World } | null {
  const world = WORLDS.find((name) => text.startsWith(prefix(name)))
  if (world === undefined || !BODY.test(text.slice(prefix(world).length))) return null
  return { id: text as ClientId, world }
}
