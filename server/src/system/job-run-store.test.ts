import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { errorLine, JobRuns, listJobRuns } from './job-run-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const platform = () => db.databases.platform
const runOf = async (job: string) => (await listJobRuns(platform().reads)).find((run) => run.job === job)

/** A worker whose clock the test moves. */
function aWorker() {
  let nowMs = 1_000_000
  const runs = new JobRuns(() => nowMs)
  return { runs, pass: (ms: number) => (nowMs += ms), write: () => runs.write(platform()) }
}

test('the rounds of many workers are one row for each job: the latest round, and the sum of all', async () => {
  const [one, other] = [aWorker(), aWorker()]
  one.runs.record('publish_live', 0.5)
  one.runs.record('send_mails', 0.1)
  one.pass(10_000)
  other.runs.record('publish_live', 0.25)
  await other.write()
  await one.write()
  expect(await runOf('publish_live')).toMatchObject({ last_seconds: 0.25, rounds: 2, failures: 0, failing: false })
  expect(await runOf('send_mails')).toMatchObject({ last_seconds: 0.1, rounds: 1 })
})

test('a job counts as failing until a later round of any worker succeeds; its last error stays', async () => {
  const [one, other] = [aWorker(), aWorker()]
  one.runs.record('fan_out_test', 0.1, new Error('no luck'))
  await one.write()
  expect(await runOf('fan_out_test')).toMatchObject({ failing: true, failures: 1, last_error: 'no luck' })
  other.runs.record('fan_out_test', 0.001)
  await other.write()
  expect(await runOf('fan_out_test')).toMatchObject({ failing: false, rounds: 2, failures: 1, last_error: 'no luck' })
})

test('a job that no worker runs is silent, and its row is deleted after a week', async () => {
  const worker = aWorker()
  worker.runs.record('old_job', 0)
  await worker.write()
  expect(await runOf('old_job')).toMatchObject({ silent: false })
  await db.sql(`update platform.job_runs set last_started_at = now() - interval '6 minutes' where job = 'old_job'`)
  expect(await runOf('old_job')).toMatchObject({ silent: true })
  await db.sql(`update platform.job_runs set last_started_at = now() - interval '8 days' where job = 'old_job'`)
  worker.runs.record('new_job', 0)
  await worker.write()
  expect(await runOf('old_job')).toBeUndefined()
})

test('rounds whose write failed are written with the next rounds', async () => {
  const worker = aWorker()
  worker.runs.record('late_job', 0.1, new Error('first'))
  await db.sql('alter table platform.job_runs rename to away')
  await expect(worker.write()).rejects.toThrow('job_runs')
  await db.sql('alter table platform.away rename to job_runs')
  worker.pass(1_000)
  worker.runs.record('late_job', 0.2)
  await worker.write()
  expect(await runOf('late_job')).toMatchObject({ rounds: 2, failures: 1, last_error: 'first', failing: false })
})

test('without a new round nothing is written', async () => {
  const before = await listJobRuns(platform().reads)
  await aWorker().write()
  expect(await listJobRuns(platform().reads)).toEqual(before)
})

test('an error is one line without addresses, with its cause', () => {
  const error = new Error('550 <ada@example.org>: unknown\nmore', { cause: new Error('x') })
  expect(errorLine(error)).toBe('550 [address] unknown')
  expect(errorLine(new Error('set aside: inv_1', { cause: new Error('refused') }))).toBe('set aside: inv_1: refused')
  expect(errorLine(new Error('\n'))).toBe('an error without a message')
  expect(errorLine('x'.repeat(900))).toHaveLength(300)
})
