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
const pgs = await startEmbeddedPostgres({ dataDirectory: `${dir}/postgres`, database: 'portico', log: () => {}, settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'on', 'pg_stat_statements.track_planning': 'on' } })
await migrate({ url: pgs.url, migrations: await readMigrations(migrationsDirectory), log: () => {}, settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'on', 'pg_stat_statements.track_planning': 'on' } })
const databases = await openDatabases({ url: pgs.url, poolSize: 8, onError: () => {} })
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

import pg from 'pg'
const cl = new pg.Client({connectionString: pgs.url}); await cl.connect(); await cl.query('create extension pg_stat_statements')
for (let i = 0; i < 1; i++) {
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
const r = await cl.query(`select calls, round((total_exec_time)::numeric,0) ms, round(total_plan_time::numeric,0) plan, round((mean_exec_time*1000)::numeric,0) us, left(regexp_replace(query,'\\s+',' ','g'),110) q from pg_stat_statements order by total_exec_time desc limit 40`); for (const x of r.rows) console.log(x.calls.padStart(6), x.ms.padStart(6), x.plan.padStart(5), x.us.padStart(6), x.q); const t = await cl.query('select sum(calls) c, sum(total_exec_time) e, sum(total_plan_time) p from pg_stat_statements'); console.log(t.rows); await cl.end(); await databases.close()
await pgs.stop()
await rm(dir, { recursive: true })
