import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@portico/embedded-postgres'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { migrationsDirectory } from '#main/database-server.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { PATIENT } from '#test/patient.ts'
import { factTable } from './fact-type.ts'
import { applyFacts } from './http.ts'
import { probeFacts } from './testing/probe-facts.ts'

const COUNT = statement<{ facts: string }>('t.count_facts_durably', 'select count(*) as facts from facts')
const COUNT_SHORT = shortStatement<{ facts: string }>('t.count_facts_shortly', 'select count(*) as facts from facts')
const rules = { table: factTable(probeFacts), settings: FACT_SETTINGS }
const fact = () => ({
  id: randomUUID(),
  type: 'probe.told',
  occurred_at: '2026-01-15T12:00:00Z',
  data: { id: newId('user'), name: 'Ada', email: `${randomUUID()}@example.com` },
})

/** An embedded server that flushes to disk, as it does by default. The server behind `testDatabase` does not flush. */
async function durableServer() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portico-durable-'))
  await chmod(dataDirectory, 0o755)
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  const start = () => startEmbeddedPostgres({ dataDirectory, database: 'portico', log: () => {} })
  return { dataDirectory, start }
}

/** Stops the parent process, then kills its children and the parent, so that no process can write to disk. */
async function killServer(dataDirectory: string): Promise<void> {
  const postmaster = Number((await readFile(join(dataDirectory, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(postmaster, 'SIGSTOP')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(async (pid) => ({ pid, parent: await parentOf(pid) })))
  for (const { pid, parent } of parents) if (parent === postmaster) process.kill(pid, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

describe('an acknowledged batch', () => {
  test('an acknowledged batch survives a kill of PostgreSQL right after the response, although commits do not wait for the disk', async () => {
    const { dataDirectory, start } = await durableServer()
    const first = await start()
    await migrate({ url: first.url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
    const databases = await openDatabases({ url: first.url, poolSize: 2, times: PATIENT, onError: () => {} })
    const facts = Array.from({ length: 100 }, fact)
    const outcomes = await applyFacts(databases.test, rules, facts)
    await killServer(dataDirectory)
    await databases.close().catch(() => {})
    await first.stop()

    const second = await start()
    const again = await openDatabases({ url: second.url, poolSize: 2, times: PATIENT, onError: () => {} })
    try {
      const repeated = await applyFacts(again.test, rules, facts)
      expect(repeated).toEqual(outcomes.map((outcome) => ({ ...outcome, status: 'duplicate' })))
    } finally {
      await again.close()
      await second.stop()
    }
  })

  test('a batch is not acknowledged if the flush runs on another server that lacks the facts', async () => {
    const [lost, next] = [await testDatabase(), await testDatabase()]
    onTestFinished(async () => void (await Promise.all([lost.close(), next.close()])))
    const takenOver = { ...lost.databases.test, reads: next.databases.test.reads }
    const facts = [fact(), fact()]
    await expect(applyFacts(takenOver, rules, facts)).rejects.toThrow(DatabaseUnavailable)
    const again = await applyFacts(next.databases.test, rules, facts)
    expect(again.map(({ status }) => status)).toEqual(['applied', 'applied'])
  })

  test('a batch may contain the same fact twice', async () => {
    const db = await testDatabase()
    onTestFinished(() => db.close())
    const one = fact()
    const outcomes = await applyFacts(db.databases.test, rules, [one, one])
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'duplicate'])
  })
})

describe('a standby', () => {
  test('a standby is not used until it is promoted', async () => {
    const { dataDirectory, start } = await durableServer()
    const first = await start()
    await migrate({ url: first.url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
    await first.stop()
    const signal = join(dataDirectory, 'cluster/standby.signal')
    await writeFile(signal, '')
    const { uid, gid } = await stat(join(dataDirectory, 'cluster'))
    await chown(signal, uid, gid)

    const standby = await start()
    const databases = await openDatabases({ url: standby.url, poolSize: 2, times: PATIENT, onError: () => {} })
    const { test: world } = databases
    const client = new Client({ connectionString: standby.url })
    await client.connect()
    try {
      await expect(world.reads.one(COUNT)).rejects.toThrow(DatabaseUnavailable)
      await expect(world.short(COUNT_SHORT)).rejects.toThrow(DatabaseUnavailable)
      await expect(world.transaction((tx) => tx.one(COUNT))).rejects.toThrow(DatabaseUnavailable)
      await client.query('select pg_promote()')
      expect(await world.reads.one(COUNT)).toEqual({ facts: '0' })
      expect(await world.short(COUNT_SHORT)).toEqual([{ facts: '0' }])
    } finally {
      await client.end()
      await databases.close()
      await standby.stop()
    }
  })
})
