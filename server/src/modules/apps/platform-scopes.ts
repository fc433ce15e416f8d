import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { inCatalogueOrder, isScopeName, type Obtained, SCOPE_CATALOGUE } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { holdApp } from './lock-app.ts'
import { addToApp } from './programs.ts'

/**
 * "Available, not selectable (added by the platform …)", and of a removed one that is not self-serve: "only the platform
 * can add it back". The others have a way of their own, or none: "admin:read, admin:write and admin:attribution are
 * internal and never granted to partner apps".
 */
const WHY_NOT: Readonly<Record<Obtained, string | null>> = {
  platform: null,
  kept: null,
  creation: 'every app has it',
  picker: 'the app’s team selects it',
  implied: 'it comes with a scope that includes it',
  program: 'it comes with its program',
  assistant: 'it is not offered to apps',
  never: 'it is never granted to apps',
}

function refuseNotThePlatforms(scopes: readonly string[]): void {
  const reasons = scopes.flatMap((name) => {
    const why = isScopeName(name) ? WHY_NOT[SCOPE_CATALOGUE[name].obtained] : 'there is no such scope'
    return why === null ? [] : [{ name, why }]
  })
  if (reasons.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${reasons.map(({ name, why }) => `${name} (${why})`).join(', ')}.`,
    remediation: 'Name only scopes that the platform adds to an app one by one.',
    details: { scopes: reasons.map(({ name }) => name) },
  })
}

type ByOperator = { readonly app: Id<'app'>; readonly actor: string }

/** At any time, also while the app is suspended or disabled. What is out there keeps exactly what it had. */
export async function addPlatformScopes(
  tx: PlatformTx,
  { app: id, actor }: ByOperator,
  scopes: readonly string[],
): Promise<void> {
  refuseNotThePlatforms(scopes)
  const app = await holdApp(tx, id, 'add_scopes')
  const added = await addToApp(tx, app, inCatalogueOrder(scopes))
  if (added.length === 0) return
  await recordAudit(tx, { actor, action: 'app.scopes_added', subject: id, details: { added } })
}
