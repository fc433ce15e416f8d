import { lockUser } from '#access/people/index.ts'
import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { CODE_CHARS, CODE_PATTERN } from '../codes/code.ts'
import type { ReferralSettings } from '../settings.ts'
import { companyExists, findCodeAt, findLiveCode, insertVisit } from './store.ts'

/** A request for a company's page. */
type Opened = {
  readonly company: Id<'company'>
  /** The signed-in account's user in this world, if it has one. */
  readonly user: Id<'user'> | null
  /** The value of `?ref=…`, if present. */
  readonly ref: string | undefined
  /** The browser's Cookie header. */
  readonly cookies: string | undefined
  readonly place: CookiePlace
  readonly asking: Asking
}

/**
 * "A code works on links to offerings: ?ref=CODE on the pages we serve." Records the click of a signed-in user, and the
 * click that a cookie stores from before the sign-in. Without a user the click is stored in a cookie. Returns the
 * cookies to set. Without a code and without such a cookie nothing is looked up.
 */
export const linkFollower =
  (settings: ReferralSettings) =>
  (db: WorldDatabase, opened: Opened): Promise<string[]> =>
    followLink(db, opened, settings)

async function followLink(db: WorldDatabase, opened: Opened, settings: ReferralSettings): Promise<string[]> {
  const { user, place } = opened
  const earlier = readClickCookie(place, opened.cookies)
  const clicked = await clickIn(db, opened)
  if (user === null) {
    const storesClick = clicked !== null && !(settings.model === 'first_click' && earlier !== null)
    return storesClick ? [clickCookie(place, clicked, settings.windowDays)] : []
  }
  const clicks = [earlier, clicked].filter((click) => click !== null)
  if (clicks.length === 0) return []
  await record(db, { ...opened, user, clicks }, settings)
  return earlier === null ? [] : [noClickCookie(place)]
}

/** Null without a code, for a code that does not work, and for a request that is not a click. */
async function clickIn(db: WorldDatabase, { ref, asking }: Opened): Promise<StoredClick | null> {
  if (ref === undefined || !isCode(ref) || !isNavigation(asking)) return null
  const live = await findLiveCode(db.reads, ref)
  return live && { code: ref, clickedAt: live.now }
}

type Clicks = { readonly company: Id<'company'>; readonly user: Id<'user'>; readonly clicks: readonly StoredClick[] }

async function record(db: WorldDatabase, { company, user, clicks }: Clicks, settings: ReferralSettings): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { code, clickedAt } of clicks) {
      // A browser can change the cookie: a click dated in the future is ignored. World times compare as text.
      const found = await findCodeAt(tx, code, clickedAt)
      if (found !== null && clickedAt <= found.now) await recordVisit(tx, { user, company, code, clickedAt }, settings)
    }
  })
}

/**
 * The method, and headers by which a browser states the purpose of a request. A request without these headers counts as a click,
 * because old browsers send none.
 */
type Asking = {
  readonly isHead: boolean
  readonly dest: string | undefined
  /** The values of Sec-Purpose, and of Purpose and X-Moz, which older browsers send instead. */
  readonly purposes: readonly (string | undefined)[]
}

const AHEAD = /\b(prefetch|prerender|preview)\b/i

/**
 * A click means that a person opens the page. A request for a picture or frame on another site, a prefetch, or a HEAD
 * request is not a click: otherwise a site could record clicks of people who never saw the link.
 */
export function isNavigation({ isHead, dest, purposes }: Asking): boolean {
  return (
    !isHead && (dest === undefined || dest === 'document') && !purposes.some((purpose) => AHEAD.test(purpose ?? ''))
  )
}

/** A company's page. Each company has its own path, so the browser stores a click for that company only. */
type CookiePlace = { readonly path: string; readonly https: boolean }

type StoredClick = { readonly code: string; readonly clickedAt: WorldTime }

const CODE = new RegExp(CODE_PATTERN)
/** The code and a Unix time in milliseconds, for years with four digits. */
const VALUE = /^([0-9A-Za-z-]+)~(\d{12,14})$/
const DAY_SECONDS = 86_400

function isCode(text: string): boolean {
  return text.length >= CODE_CHARS.min && text.length <= CODE_CHARS.max && CODE.test(text)
}

/**
 * The click of a person who has not signed in is stored in their browser's cookie: only the code and the time, for this page,
 * until the window ends. The server stores nothing. The cookie is not sealed, because a forged one only claims that its sender
 * followed a link, which every visitor can do.
 */
export function clickCookie(place: CookiePlace, click: StoredClick, windowDays: number): string {
  return cookie(place, `${click.code}~${Date.parse(click.clickedAt)}`, windowDays * DAY_SECONDS)
}

function noClickCookie(place: CookiePlace): string {
  return cookie(place, '', 0)
}

function cookie(place: CookiePlace, value: string, seconds: number): string {
  const attributes = [`Max-Age=${seconds}`, `Path=${place.path}`, 'HttpOnly', 'SameSite=Lax']
  return [`${nameAt(place)}=${value}`, ...attributes, ...(place.https ? ['Secure'] : [])].join('; ')
}

/** Null without a cookie, and for a value that we would not have written. */
export function readClickCookie(place: CookiePlace, header: string | undefined): StoredClick | null {
  const prefix = `${nameAt(place)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? ''
  const [, code = '', ms = ''] = VALUE.exec(value) ?? []
  if (!isCode(code)) return null
  const iso = new Date(Number(ms)).toISOString()
  return { code, clickedAt: worldTime(`${iso.slice(0, -1)}000Z`) }
}

function nameAt({ https }: CookiePlace): string {
  return https ? '__Secure-portico_ref' : 'portico_ref'
}

type Click = {
  readonly user: Id<'user'>
  readonly company: Id<'company'>
  /** As in the link. */
  readonly code: string
  readonly clickedAt: WorldTime
}

/**
 * Records that a user followed a link with a code to a company's page. The code must not have been paused at the time of the
 * click, no matter how late the click is reported. An unknown code is not an error and records nothing. The user is locked
 * first: an erasure either waits and then finds the click, or happens before, and no click is written.
 */
export async function recordVisit(
  tx: Tx,
  { user, company, code, clickedAt }: Click,
  { windowDays }: Pick<ReferralSettings, 'windowDays'>,
): Promise<void> {
  const { deactivated } = await lockUser(tx, 'user', user)
  if (!(await companyExists(tx, company))) throw new UnknownReference('company', company)
  const found = await findCodeAt(tx, code, clickedAt)
  if (found === null || deactivated) return
  await insertVisit(tx, { user, company, code: found.id, clickedAt, windowDays })
}
