import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { wakingWorkers } from './worker-host.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

function watched() {
  const clock = movableClock()
  let wakes = 0
  const databases = wakingWorkers(db.databases, {
    clock,
    wake: () => {
      wakes += 1
    },
  })
  return { clock, databases, wakes: () => wakes }
}

test.each(['test', 'live', 'platform'] as const)(
  'the first commit after an idle time wakes the workers (%s)',
  async (home) => {
    const { clock, databases, wakes } = watched()
    const commit = () => databases[home].transaction(async () => 'done')
    expect(await commit()).toBe('done')
    expect(wakes()).toBe(1)
    await commit()
    clock.advance(90)
    await commit()
    expect(wakes()).toBe(1)
    clock.advance(101)
    await commit()
    expect(wakes()).toBe(2)
  },
)

test('of commits that follow each other without a pause, one per second wakes the workers', async () => {
  const { clock, databases, wakes } = watched()
  for (let ms = 0; ms <= 3_000; ms += 50) {
    await databases.test.transaction(async () => 'done')
    clock.advance(50)
  }
  expect(wakes()).toBe(3)
})

test('a rollback does not wake the workers', async () => {
  const { databases, wakes } = watched()
  const failed = databases.test.transaction(() => Promise.reject(new Error('no')))
  await expect(failed).rejects.toThrow('no')
  expect(wakes()).toBe(0)
})
