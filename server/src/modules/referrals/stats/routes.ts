import { heldBy } from '#http/access.ts'
import { openCursor, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { StoredJson } from '#http/stored-json.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { keptTexts } from './kept-texts.ts'
import { entitledOf, readStats, showsIdentity } from './read-stats.ts'
import { StatsList, StatsParam, StatsQuery, WEEK_PAGES } from './schemas.ts'
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
      summary: 'What a referral code brought, week by week and company by company, the newest week first',
      tag: 'Referral codes',
      access: heldBy(['client'], 'read:referral_codes'),
      schema: { params: StatsParam, query: StatsQuery, response: { 200: StatsList } },
      handler: async ({ db, caller: { world, appId }, params: { id: code }, query }) => {
        const kind = { kind: `referral_stats/${code}`, version: 1 }
        const size = pageSize(query.per_page, WEEK_PAGES)
        const [place = null] = openCursor(cursors, kind, query.cursor) ?? []
        const before = place === null ? null : String(place)
        const look = await lookAtStats(db, { app: appId, code })
        if (look === null) throw notFound()
        const entitled = entitledOf(look)
        const asked = { code, before, size, peopleMin, sealed: (week: string) => cursors.seal(kind, [week]) }
        const read = () => readStats(db.reads, asked, { through: look.through, entitled })
        // Who somebody is may change at any time, and is looked up each time.
        if (showsIdentity(entitled)) return { status: 200, body: new StoredJson(await read()) }
        const name = `${world} ${code} ${size} ${before}`
        return { status: 200, body: new StoredJson(await kept.get(name, `${look.through} ${look.entitled}`, read)) }
      },
    }),
  ]
}
