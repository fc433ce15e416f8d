import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { ReferralSettings } from '../settings.ts'
import {
  type CookiePlace,
  clickCookie,
  isCode,
  type KeptClick,
  noClickCookie,
  readClickCookie,
} from './click-cookie.ts'
import { type Asking, isNavigation } from './navigation.ts'
import { recordVisit } from './record-visit.ts'
import { findCodeAt, findLiveCode } from './store.ts'

/** Somebody opens a company's page. */
export type Opened = {
  readonly company: Id<'company'>
  /** Who signed in, if they are somebody in this world. */
  readonly user: Id<'user'> | null
  /** What stands in the address as ?ref=…, if anything does. */
  readonly ref: string | undefined
  /** The browser's Cookie header. */
  readonly cookies: string | undefined
  readonly place: CookiePlace
  readonly asking: Asking
}

/**
 * "A code works on links to offerings: ?ref=CODE on the pages we serve." Whoever is known has the click recorded, with one
 * that their browser kept from before they signed in; whoever is not keeps it in their browser. Answers with the cookies to
 * be set. Without a code and without such a cookie nothing is looked up.
 */
export async function followLink(db: WorldDatabase, opened: Opened, settings: ReferralSettings): Promise<string[]> {
  const { user, place } = opened
  const kept = readClickCookie(place, opened.cookies)
  const clicked = await clickIn(db, opened)
  if (user === null) {
    const keeps = clicked !== null && !(settings.model === 'first_click' && kept !== null)
    return keeps ? [clickCookie(place, clicked, settings.windowDays)] : []
  }
  const clicks = [kept, clicked].filter((click) => click !== null)
  if (clicks.length === 0) return []
  await record(db, { ...opened, user, clicks }, settings)
  return kept === null ? [] : [noClickCookie(place)]
}

/** Null where there is no code, none that works, or nobody who clicked. */
async function clickIn(db: WorldDatabase, { ref, asking }: Opened): Promise<KeptClick | null> {
  if (ref === undefined || !isCode(ref) || !isNavigation(asking)) return null
  const live = await findLiveCode(db.reads, ref)
  return live && { code: ref, clickedAt: live.now }
}

type Clicks = { readonly company: Id<'company'>; readonly user: Id<'user'>; readonly clicks: readonly KeptClick[] }

async function record(db: WorldDatabase, { company, user, clicks }: Clicks, settings: ReferralSettings): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { code, clickedAt } of clicks) {
      // The cookie is the browser's to change: what is dated ahead of the world did not happen. World times compare as text.
      const found = await findCodeAt(tx, code, clickedAt)
      if (found !== null && clickedAt <= found.now) await recordVisit(tx, { user, company, code, clickedAt }, settings)
    }
  })
}
