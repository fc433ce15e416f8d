import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextExpiryInMs } from '#hosted/intents/index.ts'
import { nextInvitationInMs } from '#hosted/invites/index.ts'
import { newId } from '#kernel/ids.ts'
import { nextRetryInMs } from '#ledger/index.ts'
import { nextMailInMs } from '#mail/index.ts'
import { nextNoticeInMs } from '#notices/index.ts'
import { nextWeekInMs } from '#referrals/index.ts'
import { anApp } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { nextFailingNoticeInMs } from '#webhooks/index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const HOUR_MS = 3_600_000

/** Whether the time is at most an hour away: the rows of this test are due in an hour. */
function aboutAnHour(ms: number | null): boolean {
  return ms !== null && ms > 0 && ms <= HOUR_MS
}

test('in an empty database only the release of referral statistics has a due time, at the end of the week', async () => {
  const { test: world, platform } = db.databases
  expect(await nextMailInMs(platform)).toBeNull()
  expect(await nextNoticeInMs(platform)).toBeNull()
  expect(await nextInvitationInMs(world)).toBeNull()
  expect(await nextExpiryInMs(world)).toBeNull()
  expect(await nextRetryInMs(world)).toBeNull()
  expect(await nextFailingNoticeInMs(world)).toBeNull()
  expect(await nextWeekInMs(world)).toBeLessThanOrEqual(168 * HOUR_MS)
})

test('a mail, a notice and a change that was set aside are due at the times of their rows', async () => {
  const { test: world, platform } = db.databases
  const inAnHour = `clock_timestamp() + interval '1 hour'`
  await db.sql(`insert into platform.mails (key, recipient, letter, due_at)
                values ('one', 'ada@example.com', '{}', ${inAnHour})`)
  expect(await nextMailInMs(platform)).toSatisfy(aboutAnHour)
  const app = await anApp(db)
  await db.sql(
    `insert into platform.notices (id, organization_id, app_id, world, kind, subject, mail_due_at)
     select $2, organization_id, id, 'test', 'webhook_endpoint.failing', 'we_1', ${inAnHour} from platform.apps where id = $1`,
    [app, newId('notice')],
  )
  expect(await nextNoticeInMs(platform)).toSatisfy(aboutAnHour)
  await db.sql(`insert into test.investment_changes (kind, id, retry_at) values ('investment', $1, ${inAnHour})`, [
    newId('investment'),
  ])
  expect(await nextRetryInMs(world)).toSatisfy(aboutAnHour)
})
