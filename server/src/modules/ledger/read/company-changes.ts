import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Audience } from './audience.ts'
import { mayKnowCompany } from './known-store.ts'
import { placeSince } from './list-investments.ts'
import { notEdited } from './offering-stats.ts'
import type { TextPage } from './page-text.ts'
import { listRecords, type Reading, syncRecords } from './read-ledger.ts'
import { readUpdatedSince } from './updated-since.ts'

/**
 * "Same feed for one company; 403 if the user cannot edit it." A user who edits it and has invested in it sees their own
 * investment as their own. Only what happened to their access to this company makes them list again.
 */
export async function companyChanges(
  db: WorldDatabase,
  asked: Omit<Reading, 'filters'> & { readonly query: { readonly cursor?: string; readonly updated_since?: string } },
  company: Id<'company'>,
): Promise<TextPage> {
  const { audience } = asked
  if (!couldRead(audience, company)) throw await refusal(db, audience, company)
  const reading: Reading = {
    ...asked,
    filters: { company },
    accessTo: 'asked',
    // Of the very moment of the rows.
    inspect: async ({ edits }) => {
      if (!edits) throw await refusal(db, audience, company)
    },
  }
  const { cursor, updated_since } = asked.query
  const since = updated_since === undefined ? undefined : readUpdatedSince(updated_since)
  const opened = cursor === undefined ? null : asked.cursors.open(cursor)
  if (opened?.mode === 'sync') return syncRecords(db, reading, opened.place)
  if (opened !== null || since === undefined) return listRecords(db, reading, opened?.place ?? null)
  return syncRecords(db, reading, await placeSince(db, audience, since, company))
}

/** A user's own connection edits nothing, and an installation on a company is bound to that one. */
function couldRead(audience: Audience, company: Id<'company'>): boolean {
  return audience.kind === 'company' ? audience.company === company : audience.kind === 'union'
}

async function refusal(db: WorldDatabase, audience: Audience, company: Id<'company'>) {
  return (await mayKnowCompany(db.reads, audience, company))
    ? notEdited('A company’s investments are for those who edit it.')
    : notFound(`${company} is not to be known`)
}
