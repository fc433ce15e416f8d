import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@portico/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '#system/log.ts'
import { parseConfig } from './config.ts'
import { start } from './start.ts'

/** A separate PostgreSQL that this test may stop and start. */
async function postgresOfOurOwn() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portico-healing-'))
  await chmod(dataDirectory, 0o755)
  const launch = () => startEmbeddedPostgres({ dataDirectory, database: 'portico', durable: false, log: () => {} })
  let server = await launch()
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  return {
    url: server.url,
    stop: () => server.stop(),
    startAgain: async () => {
      const before = server.url
      server = await launch()
      expect(server.url).toBe(before)
    },
  }
}

test('the service reports that PostgreSQL is down, and works again as soon as PostgreSQL does', async () => {
  const postgres = await postgresOfOurOwn()
  const config = parseConfig({
    PORT: '0',
    DATABASE_URL: postgres.url,
    PORTICO_SECRET: 'x'.repeat(40),
    LOG_LEVEL: 'silent',
  })
  const running = await start(config, { role: 'all', reset: false }, { log: openLog('silent') })
  onTestFinished(() => running.stop())
  const readiness = async () => (await fetch(`${running.address}/readyz`)).status

  // On a busy machine the first check may run before the workers or the database respond in time.
  await expect.poll(readiness).toBe(200)
  const status = async () => {
    const response = await fetch(`${running.address}/status.json`)
    return { http: response.status, ...((await response.json()) as object) }
  }
  await expect.poll(status).toMatchObject({ http: 200, status: 'ok' })
  await postgres.stop()
  expect(await readiness()).toBe(503)
  const health = await fetch(`${running.address}/healthz`)
  expect(health.status).toBe(200)
  await expect.poll(status).toMatchObject({
    ...{ http: 503, status: 'down' },
    components: [
      { name: 'api', status: 'ok' },
      { name: 'database', status: 'down' },
      { name: 'workers', status: 'unknown' },
      { name: 'ledger', status: 'unknown', lag_seconds: null },
      { name: 'deliveries', status: 'unknown', lag_seconds: null },
    ],
  })
  const page = await fetch(`${running.address}/status`)
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('The database cannot be reached')])
  await postgres.startAgain()
  await expect.poll(readiness).toBe(200)
  await expect.poll(status).toMatchObject({ http: 200, status: 'ok' })
})
