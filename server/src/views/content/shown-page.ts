import { absoluteUrl } from '#http/response-bodies.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import {
  type CompanyRow,
  currentRaise,
  findShownCompany,
  type RoundRow,
  shownRounds,
  type Viewer,
} from '#views/catalog/index.ts'

/** A company's page as one viewer sees it. */
export type ShownPage = {
  readonly company: CompanyRow
  readonly url: string
  /** Every round that the viewer sees, the newest first. */
  readonly rounds: readonly RoundRow[]
  /** The round that the page shows: the one it leads with while something is open, else the latest. */
  readonly round: RoundRow | null
  /** The day (UTC) on which the current raise opened, as far as the viewer sees it; null while nothing is open. */
  readonly raisingSince: string | null
}

/** "Outside the viewer's set: 404, never partial." Decided by the catalogue, so that content is never shown more widely. */
export async function findShownPage(
  db: WorldDatabase,
  viewer: Viewer,
  { id, origin }: { readonly id: Id<'company'>; readonly origin: string },
): Promise<ShownPage> {
  const [company, rounds] = await Promise.all([findShownCompany(db, viewer, id), shownRounds(db, viewer, id)])
  if (company === null) throw notFound(`${id} is unknown or not shown`)
  const raise = currentRaise(rounds)
  return {
    company,
    url: absoluteUrl(origin, company.page_url),
    rounds,
    round: raise?.lead ?? rounds[0] ?? null,
    raisingSince: raise === null ? null : openedOn(rounds.filter(({ raise_id }) => raise_id === raise.lead.raise_id)),
  }
}

/** A raise begins with its first leg, one that tested the waters included. */
function openedOn(legs: readonly RoundRow[]): string | null {
  const [first] = legs.flatMap(({ opens_at }) => opens_at ?? []).toSorted()
  return first?.slice(0, 10) ?? null
}
