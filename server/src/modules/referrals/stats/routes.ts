import { heldBy } from '#http/access.ts'
import { openCursor, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { StoredJson } from '#http/stored-json.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { keptTexts } from './kept-texts.ts'
import { type Place, placeOf, valuesOf } from './place.ts'
import { entitledOf, readStats } from './read-stats.ts'
import { ENTRIES_MAX, StatsList, StatsParam, StatsQuery, WEEK_PAGES } from './schemas.ts'
import { lookAtStats } from './stats-store.ts'

export type StatsRouteDeps = {
  readonly cursors: CursorSealer
  /** The k of the next week. */
  readonly peopleMin: number
}

const KEPT_BYTES_MAX = 16 * 1_024 * 1_024

/** "Weekly referral statistics; referral-code scopes; server key only." */
export const statsRoutes = ({ cursors, peopleMin }: StatsRouteDeps): Route[] => {
  const kept = keptTexts(KEPT_BYTES_MAX)
  return [
    route({
      operation: 'getReferralCodeStats',
      method: 'GET',
      path: '/referral_codes/:id/stats',
      summary: 'Get referral code statistics',
      description: 'Returns what a referral code brought, by week and by company, newest week first.',
      tag: 'Referral codes',
      access: heldBy(['client'], 'read:referral_codes'),
      schema: { params: StatsParam, query: StatsQuery, response: { 200: StatsList } },
      ahead: (db, { id = '' }) => lookAtStats(db, id),
      handler: async ({ db, caller: { world, appId }, params: { id: code }, query, requestId, ahead }) => {
        const kind = { kind: `referral_stats/${code}`, version: 1 }
        const size = pageSize(query.per_page, WEEK_PAGES)
        const values = openCursor(cursors, kind, query.cursor)
        const look = await ahead
        if (look === null || look.app !== appId) throw notFound()
        const entitled = entitledOf(look)
        const sealed = (place: Place) => cursors.seal(kind, valuesOf(place))
        const asked = { code, place: placeOf(values), size, entries: ENTRIES_MAX, peopleMin, sealed }
        const read = () => readStats(db.reads, asked, { through: look.through, entitled })
        const name = `${world} ${code} ${size} ${values?.join(' ') ?? ''}`
        // Who somebody is, and what is hidden, may change at any time: rows are looked up each time.
        const text = entitled.size === 0 ? await kept.get(name, String(look.through), read) : Buffer.from(await read())
        return { status: 200, body: new StoredJson([text, Buffer.from(`,"request_id":"${requestId}"}}`)]) }
      },
    }),
  ]
}
