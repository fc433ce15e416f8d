import type { RoundRow } from './store.ts'

export type CurrentRaise = {
  /** The round the company's page leads with. */
  readonly lead: RoundRow
  /** All open rounds of the same raise, the lead among them. */
  readonly legs: readonly RoundRow[]
}

/**
 * The open ones of these rounds in the order in which a page shows them: what everybody sees before what only some do, a
 * live round before one that tests the waters, the latest before earlier ones, as the catalogue chooses too.
 */
export function openRounds(rounds: readonly RoundRow[]): RoundRow[] {
  return rounds.filter(({ status }) => status === 'open').toSorted((a, b) => rank(a) - rank(b))
}

/** "Live rounds of this campaign summed": reservations and investments are never added together. */
export function currentRaise(rounds: readonly RoundRow[]): CurrentRaise | null {
  const open = openRounds(rounds)
  const [lead] = open
  if (lead === undefined) return null
  const { raise_id, testing_the_waters } = lead
  const legs = open.filter((leg) => leg.raise_id === raise_id && leg.testing_the_waters === testing_the_waters)
  return { lead, legs }
}

const SHOWN_RANK: Readonly<Record<string, number>> = { public: 0, accredited: 2 }
const OWN_RANK = 4

/** The sort is stable and the rounds come with the latest first. */
function rank({ shown_to, testing_the_waters }: RoundRow): number {
  return (shown_to === null ? OWN_RANK : (SHOWN_RANK[shown_to] ?? OWN_RANK)) + Number(testing_the_waters)
}
