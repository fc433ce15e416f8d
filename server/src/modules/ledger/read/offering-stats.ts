import { StoredJson } from '#http/stored-json.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Audience } from './audience.ts'
import { mayKnowOffering } from './known-store.ts'
import { findFigures, type OfferingFigures } from './stats-store.ts'

/**
 * "Count and committed amount by status over founder-visible published records (reconciles with
 * `GET /investments?offering_id=`)." For whoever edits the offering's company.
 */
export async function offeringStats(
  queries: WorldQueries,
  audience: Audience,
  offering: Id<'offering'>,
): Promise<StoredJson> {
  const figures = await findFigures(queries, offering, audience.kind === 'company' ? null : audience.user)
  if (figures === null) throw notFound(`${offering} is unknown`)
  if (!mayRead(audience, figures)) {
    throw (await mayKnowOffering(queries, audience, offering))
      ? notEdited('These figures are for those who edit the offering’s company.')
      : notFound(`${offering} is not to be known`)
  }
  const { company, currency, byStatus, total, publishedThrough } = figures
  // As text, because sums of many amounts pass what a number holds.
  const data = `{"offering":"${offering}","company":"${company}","currency":"${currency}","by_status":${byStatus},"total":${total}}`
  const meta = JSON.stringify({ source: 'published', published_through: publishedThrough })
  return new StoredJson(`{"data":${data},"meta":${meta}}`)
}

function mayRead(audience: Audience, { company, edits }: OfferingFigures): boolean {
  return audience.kind === 'company' ? company === audience.company : audience.kind === 'union' && edits
}

/** "Scope held, but no permission on that resource or token bound to another resource." */
export function notEdited(message: string): ApiError {
  return new ApiError('forbidden', {
    public: message,
    remediation: 'Use a token of one of its founders, admins or editors, or of an installation on it.',
  })
}
