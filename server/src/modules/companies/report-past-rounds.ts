import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type PastRound, pastRoundErrors } from './past-round.ts'
import { lockCompany, replacePastRounds } from './store.ts'

export type PastRounds = { readonly company: Id<'company'>; readonly rounds: readonly PastRound[] }

/** The list as a whole, in its order: a founder corrects a report by reporting again. */
export async function reportPastRounds(tx: Tx, { company, rounds }: PastRounds, { occurredAt }: Moment): Promise<void> {
  const errors = rounds.flatMap((round, at) => pastRoundErrors(round, `rounds[${at}]`, occurredAt))
  if (errors.length > 0) throw validationError(errors)
  if ((await lockCompany(tx, company)) === null) throw new UnknownReference('company', company)
  await replacePastRounds(tx, company, rounds)
}
