import { chmod, mkdtemp, rm } from 'node:fs/promises'
import pino from 'pino'
import { startEmbeddedPostgres } from '#main/embedded-postgres/index.ts'
import { migrationsDirectory } from '#main/migrations-directory.ts'
import { factRules } from '#modules/facts/index.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { ensureDemoWorld } from '../src/demo/index.ts'

const dir = await mkdtemp('/tmp/demo-try-')
await chmod(dir, 0o755)
const pg = await startEmbeddedPostgres({ dataDirectory: `${dir}/postgres`, database: 'portico', log: () => {} })
await migrate({ url: pg.url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
const databases = await openDatabases({ url: pg.url, poolSize: 8, onError: () => {} })
const log = pino()

import { readdirSync, readFileSync } from 'node:fs'

function pgCpu() {
  let t = 0
  const main = Number(readFileSync(`${dir}/postgres/cluster/postmaster.pid`, 'utf8').split('\n')[0])
  for (const p of readdirSync('/proc')) {
    if (!/^\d+$/.test(p)) continue
    try {
      const st = readFileSync(`/proc/${p}/stat`, 'utf8')
      const f = st.slice(st.lastIndexOf(')') + 2).split(' ')
      if (Number(p) === main) t += Number(f[13]) + Number(f[14])
      if (Number(f[1]) === main || Number(p) === main) t += Number(f[11]) + Number(f[12])
    } catch {}
  }
  return t / 100
}

for (let i = 0; i < 2; i++) {
  const t = performance.now()
  const c = process.cpuUsage()
  const g = pgCpu()
  const demo = await ensureDemoWorld({ databases, rules: factRules(), log, nowMs: Date.now() }); await demo.writeFile({ baseUrl: 'http://127.0.0.1:4400', dataDirectory: dir })
  const u = process.cpuUsage(c)
  console.log(
    'ensure',
    (performance.now() - t).toFixed(0),
    'ms; node cpu',
    (u.user + u.system) / 1e6,
    'pg cpu',
    (pgCpu() - g).toFixed(2),
  )
}
await databases.close()
await pg.stop()
await rm(dir, { recursive: true })
