import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { readFacts } from '../derive/facts-store.ts'
import { DERIVATION } from '../derive/record.ts'
import { isSameOpenPart, isSameRecord, renderRecord } from '../derive/render.ts'
import type { Audience } from './audience.ts'
import { findPublished } from './store.ts'

type Reader = { readonly audience: Audience; readonly pii: boolean }

/** A record as text, and whether what is published says the same. */
export type CurrentRecord = {
  readonly data: string
  readonly meta: {
    readonly source: 'current'
    readonly published_matches: boolean
    readonly published_observed_at?: string
  }
}

/**
 * "Returns the same record shape derived at the time of the request. A user always sees their own investment." To the
 * company only what it sees: a hidden, canceled or converted one is unknown to it, as is one of another company.
 */
export async function getInvestment(
  queries: WorldQueries,
  { audience, pii }: Reader,
  id: Id<'investment'>,
): Promise<CurrentRecord> {
  const user = audience.kind === 'company' ? null : audience.user
  const [[facts], { published, now, edits }] = await Promise.all([
    readFacts(queries, [id]),
    findPublished(queries, id, user),
  ])
  if (facts === undefined) throw notFound(`${id} is unknown`)
  const isOwn = facts.investor === user
  const isEdited = audience.kind === 'company' ? facts.company === audience.company : audience.kind === 'union' && edits
  const record = DERIVATION.derive(facts)
  if (!isOwn && !(isEdited && record.visible)) throw notFound(`${id} is not for this audience`)
  const text = renderRecord(record, now)
  const named = isOwn || pii
  // What a reader cannot see differs from nothing to them, and has no time.
  const isSame = named ? isSameRecord : isSameOpenPart
  return {
    data: `${text.body}${named ? text.identity : '}'}}`,
    meta: {
      source: 'current',
      published_matches: published !== null && isSame(published, text),
      ...(published === null ? {} : { published_observed_at: named ? published.observedAt : published.openObservedAt }),
    },
  }
}
