import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proofRun } from '../long-proof.ts'
import { disagreement } from './agreement.ts'
import { type Attack, ofHidden, ofLinks, ofOrder, ofPeople } from './attacks.ts'
import { type Mutant, OF_HIDDEN, OF_LINKS, OF_ORDER, OF_PEOPLE } from './mutants.ts'
import { knownAt, PLACES, seesRows, shownBefore } from './reference-model.ts'
import { aWorld, MOMENTS } from './worlds.ts'

/**
 * The attack that decision 18 describes, on the product's own publishing and reading. preimages.test.ts covers what a
 * single response reveals. Two apps cooperate, with four codes and three companies, and read all they can for five
 * weeks: stats, counts and events, in the middle and at the end of each week. Codes are paused at random times. The apps
 * see rows while they have the right to. k, the size of the smallest group that is published, changes between weeks. Each
 * attack finds nothing, but finds a leak as soon as a guard is removed.
 */
const { isShort } = proofRun()
const BATCHES = isShort ? 1 : 2
/** How many batches may be tried until a mutant is found. */
const HUNT_MAX = 6
/** Each batch makes hundreds of reads, and the machine may be busy. */
const TIMEOUT_MS = 300_000

const attacks: readonly [of: string, Attack, readonly Mutant[]][] = [
  ['The actions of one person among fewer than k people change nothing that any caller reads', ofPeople, OF_PEOPLE],
  ['Nothing about an investment that is hidden from its company is published', ofHidden, OF_HIDDEN],
  ['The order of rows does not show who came first', ofOrder, OF_ORDER],
  ['The same investor cannot be linked across companies', ofLinks, OF_LINKS],
]

describe.each(attacks)('%s', { timeout: TIMEOUT_MS }, (_, attack, mutants) => {
  test('the attack finds nothing', async () => {
    for (let batch = 0; batch < BATCHES; batch++) expect(await attack(batch)).toBeNull()
  })

  test.each(isShort ? mutants.slice(0, 1) : mutants)(
    'the attack finds a leak when $name',
    async ({ name: _name, ...wrong }) => {
      let found: unknown = null
      for (let batch = 0; batch < HUNT_MAX && found === null; batch++) found = await attack(batch, wrong)
      expect(found).not.toBeNull()
    },
  )
})

describe('The number of people in each group, which the attack uses,', { timeout: TIMEOUT_MS }, () => {
  test('is in the range that the product publishes, in worlds of all kinds', async () => {
    for (let batch = 0; batch < BATCHES; batch++) expect(await disagreement(batch)).toBeNull()
  })

  test('does not include people whom an app has seen as a row or by an event, after the app lost the right to see rows', () => {
    fc.assert(
      fc.property(aWorld, (world) => {
        for (const place of PLACES) {
          for (let moment = 0; moment < MOMENTS; moment++) {
            if (seesRows(world, place, moment)) continue
            const known = knownAt(world, place, moment)
            expect([...shownBefore(world, place, moment)].filter((person) => !known.has(person))).toEqual([])
          }
        }
      }),
    )
  })
})
