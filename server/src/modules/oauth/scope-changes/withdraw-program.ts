import { notFound } from '#kernel/errors.ts'
import {
  type App,
  type AppProgram,
  deleteProgram,
  findProgram,
  holdApp,
  type ProgramName,
  programScopes,
} from '#modules/apps/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Because } from '#modules/installations/index.ts'
import { closure, type ScopeName } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { ByOperator, Removal } from './remove-scopes.ts'
import { declaredAfter, takeAway } from './take-away.ts'

/**
 * The program's scopes are taken from the app as any scope is removed. A name that a scope of another program still
 * implies is no longer declared for itself, and what carries it goes on: a withdrawal is never refused for that.
 * Declining what was only requested takes nothing away.
 */
export async function withdrawProgram(
  tx: PlatformTx,
  { by, program }: { readonly by: ByOperator; readonly program: ProgramName },
  because: Because,
): Promise<Removal> {
  const app = await holdApp(tx, by.app, 'withdraw_program')
  const standing = await findProgram(tx, app.id, program)
  if (standing === null) throw notFound(`app ${app.id} is not in the program ${program}`)
  await deleteProgram(tx, app.id, program)
  const undeclared = givenBy(standing, app)
  const scopes = declaredAfter({ app, undeclared })
  const implied = closure(scopes)
  const removed = undeclared.filter((name) => !implied.has(name))
  const consequences = await takeAway(tx, { app, undeclared, removed, role: by.role }, because)
  const details = { program, tier: standing.tier, removed, ...consequences }
  await recordAudit(tx, { actor: by.actor, action: 'app.program_withdrawn', subject: app.id, details })
  return { scopes, removed, ...consequences }
}

function givenBy(standing: AppProgram, app: App): readonly ScopeName[] {
  if (standing.approved_at === null) return []
  return programScopes(standing).filter((name) => app.scopes.includes(name))
}
