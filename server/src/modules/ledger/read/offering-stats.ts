import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Audience } from './audience.ts'
import { mayKnowOffering } from './known-store.ts'
import { findFigures, type OfferingFigures, type Sums } from './stats-store.ts'

/**
 * "Count and committed amount by status over founder-visible published records (reconciles with
 * `GET /investments?offering_id=`)." For whoever edits the offering's company.
 */
export async function offeringStats(queries: WorldQueries, audience: Audience, offering: Id<'offering'>) {
  const figures = await findFigures(queries, offering, audience.kind === 'company' ? null : audience.user)
  if (figures === null) throw notFound(`${offering} is unknown`)
  if (!mayRead(audience, figures)) {
    throw (await mayKnowOffering(queries, audience, offering))
      ? notEdited('These figures are for those who edit the offering’s company.')
      : notFound(`${offering} is not to be known`)
  }
  const { company, currency, sums, publishedThrough } = figures
  const by_status = Object.fromEntries(sums.map(({ status, ...figure }) => [status, figure]))
  return {
    data: { offering, company, currency, by_status, total: sums.reduce(added, NOTHING) },
    meta: { source: 'published' as const, published_through: publishedThrough },
  }
}

function mayRead(audience: Audience, { company, edits }: OfferingFigures): boolean {
  return audience.kind === 'company' ? company === audience.company : audience.kind === 'union' && edits
}

const NOTHING: Sums = { count: 0, committed_cents: 0, raised_cents: 0 }

function added(sum: Sums, one: Sums): Sums {
  return {
    count: sum.count + one.count,
    committed_cents: sum.committed_cents + one.committed_cents,
    raised_cents: sum.raised_cents + one.raised_cents,
  }
}

/** "Scope held, but no permission on that resource or token bound to another resource." */
export function notEdited(message: string): ApiError {
  return new ApiError('forbidden', {
    public: message,
    remediation: 'Use a token of one of its founders, admins or editors, or of an installation on it.',
  })
}
