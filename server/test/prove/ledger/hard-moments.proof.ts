import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Databases } from '#system/postgres/database.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { TestDatabase } from '#test/database.ts'
import { PATIENT } from '#test/patient.ts'
import { proofRun } from '../long-proof.ts'
import { MUTANTS } from './mutants.ts'
import { oneByOneDatabase } from './one-by-one.ts'
import { playHardMoments } from './play-hard-moments.ts'

let db: TestDatabase
let publishing: Databases
beforeAll(async () => {
  db = await oneByOneDatabase()
  publishing = await openDatabases({ url: db.url, poolSize: 3, times: PATIENT, onError: () => {} })
})
afterAll(async () => {
  await publishing.close()
  await db.close()
})

describe('the hard moments', () => {
  test('leave every reader with exactly the records it may see', async () => {
    expect(await playHardMoments({ db, publishing, mutant: null })).toEqual({ findings: [], moment: null })
  })
})

const mutants = proofRun().isShort ? MUTANTS.filter((_, at) => at % 4 === 0) : MUTANTS

describe('the proof finds the defect:', () => {
  test.each(mutants)('$name', async (mutant) => {
    const { findings, moment } = await playHardMoments({ db, publishing, mutant })
    expect({ moment, kind: findings[0]?.kind }).toEqual({ moment: mutant.foundWhen, kind: mutant.as })
  })
})
