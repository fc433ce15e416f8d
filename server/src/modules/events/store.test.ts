import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { appendEvent } from './append-event.ts'
import { appendEvents } from './append-events.ts'
import type { NewEvent } from './new-event.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

test('what an event says is kept as it was written, alone and among many', async () => {
  const occasion = occasionAt()
  const event: NewEvent = {
    name: 'investment.changed',
    subject: { companyId: newId('company') },
    occurredAt: occasion.occurredAt,
    data: { visible: true, id: newId('investment'), fields: ['status', 'amounts'], first: false },
  }
  await db.databases.test.transaction(async (tx) => {
    await appendEvent(tx, event, occasion)
    await appendEvents(tx, [event, event], { cause: null, caused: [] })
  })
  const stored = await db.sql<{ text: string }>('select data::text as text from test.events')
  expect(stored.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => JSON.stringify(event.data)))
})
