import { absoluteUrl } from '#http/response-bodies.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldReads } from '#system/postgres/database.ts'
import {
  type CompanyRow,
  currentRaise,
  findShownCompany,
  type RoundRow,
  shownRounds,
  type Viewer,
} from '#views/catalog/index.ts'

/** A company's page for one viewer. */
export type ShownPage = {
  readonly company: CompanyRow
  readonly url: string
  /** Every round that the viewer sees, newest first. */
  readonly rounds: readonly RoundRow[]
  /** The round that the page shows first: the lead of the current raise, otherwise the latest round. */
  readonly round: RoundRow | null
  /** The day (UTC) on which the current raise opened, computed from the rounds that the viewer sees; null while none is open. */
  readonly raisingSince: string | null
}

/**
 * "Outside the viewer's set: 404, never partial." The catalogue decides who sees the company, so that its content never
 * has a wider audience.
 */
export async function findShownPage(
  db: WorldReads,
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

/** A raise starts with its first leg, even if that leg tested the waters. */
function openedOn(legs: readonly RoundRow[]): string | null {
  const [first] = legs.flatMap(({ opens_at }) => opens_at ?? []).toSorted()
  return first?.slice(0, 10) ?? null
}
