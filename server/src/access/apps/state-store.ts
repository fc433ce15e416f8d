import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { AppProgram, AppState, ProgramAt, ProgramName } from './app.ts'
import { closeGate } from './store.ts'

const SUSPEND = platformStatement(
  'apps.suspend',
  `update platform.apps set suspended_at = clock_timestamp(), suspended_reason = $2, revision = revision + 1
    where id = $1`,
)

export async function writeSuspended(tx: PlatformTx, id: Id<'app'>, reason: string): Promise<void> {
  await tx.run(SUSPEND, [id, reason])
}

const LIFT = platformStatement(
  'apps.lift',
  `update platform.apps set suspended_at = null, suspended_reason = null, revision = revision + 1 where id = $1`,
)

export async function writeLifted(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(LIFT, [id])
}

const DISABLE = platformStatement(
  'apps.disable',
  'update platform.apps set disabled_at = clock_timestamp(), revision = revision + 1 where id = $1',
)

export async function writeDisabled(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(DISABLE, [id])
}

const ENABLE = platformStatement(
  'apps.enable',
  'update platform.apps set disabled_at = null, revision = revision + 1 where id = $1',
)

export async function writeEnabled(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(ENABLE, [id])
}

/** Revoked and ended keys keep their state. */
const FOLLOW = platformStatement(
  'apps.keys_follow',
  `update platform.app_keys
      set state = case when state in ('revoked', 'ended') then state else $2 end, generation = generation + $3
    where app_id = $1`,
)

export type KeysMove = { readonly state: AppState; readonly stopTokensForGood: boolean }

/** A token check reads only the key, so each key has a copy of its app's state. */
export async function moveKeys(tx: PlatformTx, app: Id<'app'>, { state, stopTokensForGood }: KeysMove): Promise<void> {
  await tx.run(FOLLOW, [app, state, stopTokensForGood ? 1 : 0])
}

const CLOSE_OF_ORGANIZATION = platformStatement(
  'apps.close_gates_of_organization',
  `select ${closeGate('a.id')}
     from (select id from platform.apps where organization_id = $1 order by id offset 0) a`,
)

const LOCK_OF_ORGANIZATION = platformStatement<{ id: Id<'app'> }>(
  'apps.lock_of_organization',
  'select id from platform.apps where organization_id = $1 and deleted_at is null order by id for update',
)

/** Locks in the order of the ids, so that two transactions that lock several apps never deadlock. */
export async function lockAppsOf(tx: PlatformTx, organization: Id<'organization'>): Promise<Id<'app'>[]> {
  await tx.run(CLOSE_OF_ORGANIZATION, [organization])
  return (await tx.many(LOCK_OF_ORGANIZATION, [organization])).map(({ id }) => id)
}

const END_KEYS = platformStatement(
  'apps.end_keys',
  "update platform.app_keys set state = 'ended' where app_id = any($1) and state <> 'revoked'",
)

const RAISE_REVISIONS = platformStatement(
  'apps.raise_revisions',
  'update platform.apps set revision = revision + 1 where id = any($1)',
)

export async function endKeys(tx: PlatformTx, apps: readonly Id<'app'>[]): Promise<void> {
  await tx.run(END_KEYS, [apps])
  await tx.run(RAISE_REVISIONS, [apps])
}

const APPROVE = platformStatement(
  'apps.approve',
  `update platform.apps set approved_at = clock_timestamp(),
                            first_approved_at = coalesce(first_approved_at, clock_timestamp())
    where id = $1`,
)

export async function writeApproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(APPROVE, [id])
}

/** An app whose approval was withdrawn waits for a new approval only after its team has asked for it. */
const UNAPPROVE = platformStatement(
  'apps.unapprove',
  'update platform.apps set approved_at = null, approval_declined_at = clock_timestamp() where id = $1',
)

export async function writeUnapproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(UNAPPROVE, [id])
}

const DECLINE_APPROVAL = platformStatement(
  'apps.decline_approval',
  'update platform.apps set approval_declined_at = clock_timestamp() where id = $1',
)

export async function writeApprovalDeclined(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(DECLINE_APPROVAL, [id])
}

const REQUEST_APPROVAL = platformStatement(
  'apps.request_approval',
  'update platform.apps set approval_requested_at = clock_timestamp() where id = $1',
)

export async function writeApprovalRequested(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(REQUEST_APPROVAL, [id])
}

const DECLINE_PII = platformStatement(
  'apps.decline_pii',
  'update platform.apps set pii_requested_at = null where id = $1 and pii_approved_at is null',
)

/** Ends the request; the team can ask again. */
export async function writePiiDeclined(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(DECLINE_PII, [id])
}

const REQUEST_PII = platformStatement(
  'apps.request_pii',
  'update platform.apps set pii_requested_at = clock_timestamp() where id = $1',
)

export async function writePiiRequested(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(REQUEST_PII, [id])
}

/** The approval changes which scopes a consent may grant, so the revision increases, as after a change of scopes. */
const APPROVE_PII = platformStatement(
  'apps.approve_pii',
  'update platform.apps set pii_approved_at = clock_timestamp(), revision = revision + 1 where id = $1',
)

export async function writePiiApproved(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(APPROVE_PII, [id])
}

/** Deletes the request together with the approval, so that the team can request it again. */
const WITHDRAW_PII = platformStatement(
  'apps.withdraw_pii',
  `update platform.apps set pii_approved_at = null, pii_requested_at = null, revision = revision + 1 where id = $1`,
)

export async function writePiiWithdrawn(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  await tx.run(WITHDRAW_PII, [id])
}

const PROGRAMS = platformStatement<AppProgram>(
  'apps.programs',
  `select app_id, program, tier, requested_at, approved_at from platform.app_programs
    where app_id = any($1) order by app_id, program`,
)

export async function programsOf(queries: PlatformQueries, apps: readonly Id<'app'>[]): Promise<AppProgram[]> {
  return queries.many(PROGRAMS, [apps])
}

export async function findProgram(queries: PlatformQueries, app: Id<'app'>, program: ProgramName) {
  return (await programsOf(queries, [app])).find((row) => row.program === program) ?? null
}

/** A granted tier stays in force while the app waits for a higher one. */
const REQUEST_PROGRAM = platformStatement(
  'apps.request_program',
  `insert into platform.app_programs as p (app_id, program, tier, requested_at)
   values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update
      set requested_at = excluded.requested_at,
          tier = case when p.approved_at is null then excluded.tier else p.tier end`,
)

export async function writeRequest(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt): Promise<void> {
  await tx.run(REQUEST_PROGRAM, [app, program, tier])
}

const APPROVE_PROGRAM = platformStatement(
  'apps.approve_program',
  `insert into platform.app_programs (app_id, program, tier, approved_at) values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update set approved_at = excluded.approved_at, tier = excluded.tier`,
)

export async function writeProgramApproved(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt) {
  await tx.run(APPROVE_PROGRAM, [app, program, tier])
}

const DECLINE_UPGRADE = platformStatement(
  'apps.decline_program_upgrade',
  'update platform.app_programs set requested_at = null where app_id = $1 and program = $2',
)

/** For an app that is in the program and asked for the higher tier: it keeps its tier. */
export async function writeUpgradeDeclined(tx: PlatformTx, app: Id<'app'>, program: ProgramName): Promise<void> {
  await tx.run(DECLINE_UPGRADE, [app, program])
}

const DELETE_PROGRAM = platformStatement(
  'apps.delete_program',
  'delete from platform.app_programs where app_id = $1 and program = $2',
)

/** Deletes only the row. The caller has locked the app. If the program was granted, the caller also removes its scopes. */
export async function deleteProgram(tx: PlatformTx, app: Id<'app'>, program: ProgramName): Promise<boolean> {
  return (await tx.run(DELETE_PROGRAM, [app, program])) === 1
}
