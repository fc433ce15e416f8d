import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { AppProgram, ProgramAt, ProgramName } from './program.ts'

const OF_APPS = platformStatement<AppProgram>(
  'apps.programs',
  `select app_id, program, tier, requested_at, approved_at from platform.app_programs
    where app_id = any($1) order by app_id, program`,
)

export async function programsOf(queries: PlatformQueries, apps: readonly Id<'app'>[]): Promise<AppProgram[]> {
  return queries.many(OF_APPS, [apps])
}

export async function findProgram(queries: PlatformQueries, app: Id<'app'>, program: ProgramName) {
  return (await programsOf(queries, [app])).find((row) => row.program === program) ?? null
}

/** A tier that was granted stays what it is: who asks for a higher one has the lower one meanwhile. */
const REQUEST = platformStatement(
  'apps.request_program',
  `insert into platform.app_programs as p (app_id, program, tier, requested_at)
   values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update
      set requested_at = excluded.requested_at,
          tier = case when p.approved_at is null then excluded.tier else p.tier end`,
)

export async function writeRequest(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt): Promise<void> {
  await tx.run(REQUEST, [app, program, tier])
}

const APPROVE = platformStatement(
  'apps.approve_program',
  `insert into platform.app_programs (app_id, program, tier, approved_at) values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update set approved_at = excluded.approved_at, tier = excluded.tier`,
)

export async function writeProgramApproved(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt) {
  await tx.run(APPROVE, [app, program, tier])
}

const DELETE = platformStatement(
  'apps.delete_program',
  'delete from platform.app_programs where app_id = $1 and program = $2',
)

/** The row alone, under the app's lock: what its scopes were issued for is taken away by whoever withdraws it. */
export async function deleteProgram(tx: PlatformTx, app: Id<'app'>, program: ProgramName): Promise<boolean> {
  return (await tx.run(DELETE, [app, program])) === 1
}
