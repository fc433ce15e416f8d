import { narrowInstallations, revokeInstallation } from '#access/installations/index.ts'
import { reenableEndpoint, removeEndpoint } from '#webhooks/endpoints/manage-endpoint.ts'
import { rotateSecret } from '#webhooks/endpoints/routes.ts'
import { cancelDeliveries } from '#webhooks/index.ts'
import type { Random } from '../random.ts'
import { newCause, recordFannedOut } from './caused-events.ts'
import { ALL_SCOPES, endpointSettings, install, managerOf, openEndpoint, someScopes } from './make-participants.ts'
import { type Endpoint, type Installation, isStanding } from './participants.ts'
import { count, type Stage } from './stage.ts'
import { type Between, timed } from './timeline.ts'

const CHANGES = { rotate, remove, reenable, revoke, change_scopes, narrow, suspend } as const
const NAMES = Object.keys(CHANGES) as readonly (keyof typeof CHANGES)[]

const changesOf = ({ did }: Stage) => NAMES.reduce((sum, name) => sum + (did.get(name) ?? 0), 0)

/**
 * Changes which events receivers are entitled to. Changes happen one after another, so that the state at every moment
 * is known.
 */
export async function changeSomething(stage: Stage, random: Random): Promise<void> {
  const name = NAMES[changesOf(stage) % NAMES.length] ?? 'rotate'
  await recordFannedOut(stage)
  await CHANGES[name](stage, random)
  count(stage, name)
}

/** Makes the changes for which a short run had no time. */
export async function changeTheRest(stage: Stage, random: Random): Promise<void> {
  while (changesOf(stage) < NAMES.length) await changeSomething(stage, random)
}

/** A replaced secret signs for a day, longer than any run. So all secrets sign, and a rotation beyond this number fails. */
const SECRETS_MAX = 6

async function rotate(stage: Stage, random: Random): Promise<void> {
  const rotatable = stage.participants.endpoints.filter(
    (one) => isStanding(one) && one.secrets.latest.length < SECRETS_MAX,
  )
  if (rotatable.length === 0) return
  const { id, app, secrets } = random.pick(rotatable)
  const { result, between } = await timed(() =>
    stage.databases.platform.transaction((tx) =>
      rotateSecret(tx, managerOf(app), { id, settings: endpointSettings(stage) }),
    ),
  )
  secrets.set([result.secret, ...secrets.latest], between)
}

/**
 * Removes an endpoint and creates another in its place. An endpoint that stopped with its installation gets no
 * successor, because the new installation has endpoints of its own.
 */
async function remove(stage: Stage, random: Random): Promise<void> {
  const endpoint = random.pick(stage.participants.endpoints.filter(isStanding))
  const { id, app, boundTo, receiver } = endpoint
  const { between } = await timed(() =>
    stage.databases.platform.transaction((tx) => removeEndpoint(tx, managerOf(app), id)),
  )
  endpoint.state.set('removed', between)
  if (boundTo?.active.latest === false) return
  await openEndpoint(stage, stage.participants, { app, boundTo, random, receiver })
}

/** Records the endpoints that were disabled meanwhile. Only the workers know the exact time. */
export async function recordDisabled({ sql, participants }: Stage): Promise<void> {
  const rows = await sql<{ id: string }>(`select id from platform.webhook_endpoints where state = 'disabled'`)
  const disabled = new Set(rows.map(({ id }) => id))
  const end = Date.now()
  for (const { id, state } of participants.endpoints) {
    if (state.latest === 'enabled' && disabled.has(id)) state.set('disabled', { begin: state.settledAt, end })
  }
}

const mayReturn = ({ state, boundTo }: Endpoint) => state.latest === 'disabled' && boundTo?.active.latest !== false

async function reenable(stage: Stage): Promise<void> {
  await recordDisabled(stage)
  for (const { id, app, state } of stage.participants.endpoints.filter(mayReturn)) {
    const { between } = await timed(() =>
      stage.databases.platform.transaction((tx) => reenableEndpoint(tx, managerOf(app), id)),
    )
    state.set('enabled', between)
    count(stage, 'reenabled')
  }
}

export { reenable as reenableAll }

async function revoke(stage: Stage, random: Random): Promise<void> {
  const installation = random.pick(stage.participants.installations.filter(({ active }) => active.latest))
  const cause = newCause()
  const { between } = await timed(() =>
    stage.databases.test.transaction((tx) =>
      revokeInstallation(tx, { id: installation.id, role: 'founder' }, because(cause)),
    ),
  )
  stage.happenings.set(cause, { cause, between, fannedOutBy: null })
  await revoked(stage, installation, { between, random })
}

const because = (cause: string) => ({ cause, caused: [], onRevoked: [cancelDeliveries] })

/**
 * Installs again after a revocation. The old endpoints stopped with their installation, so the new installation gets
 * its own.
 */
async function revoked(
  stage: Stage,
  installation: Installation,
  { between, random }: { readonly between: Between; readonly random: Random },
): Promise<void> {
  const { app, target } = installation
  installation.active.set(false, between)
  const bound = stage.participants.endpoints.filter((each) => each.boundTo === installation && isStanding(each))
  for (const { state } of bound) if (state.latest === 'enabled') state.set('disabled', between)
  await install(stage, stage.participants, { app, target, random })
  const successor = stage.participants.installations.at(-1) ?? null
  for (const { receiver } of bound)
    await openEndpoint(stage, stage.participants, { app, boundTo: successor, random, receiver })
}

/** Gives an installation more or fewer scopes, with or without the identity of investors. */
async function change_scopes(stage: Stage, random: Random): Promise<void> {
  const { id, scopes } = random.pick(stage.participants.installations.filter(({ active }) => active.latest))
  const other = someScopes(random)
  const { between } = await timed(() =>
    stage.sql('update test.installations set scopes = $2 where id = $1', [id, other]),
  )
  scopes.set(other, between)
}

/** Takes a scope from the app and all its installations. An installation without scopes is revoked. */
async function narrow(stage: Stage, random: Random): Promise<void> {
  const app = random.pick(stage.participants.apps)
  const removed = random.pick(['read:investors:pii', 'read:companies', 'read:investments'])
  const allowed = ALL_SCOPES
  const cause = newCause()
  const narrowing = { app: app.id, allowed, removed: [removed], world: 'test', role: 'partner' } as const
  const { between } = await timed(() =>
    stage.databases.platform.transaction((tx) => narrowInstallations(tx, narrowing, because(cause))),
  )
  stage.happenings.set(cause, { cause, between, fannedOutBy: null })
  const hit = ({ active, scopes, app: its }: Installation) =>
    its === app && active.latest && scopes.latest.includes(removed)
  for (const installation of stage.participants.installations.filter(hit)) {
    const left = installation.scopes.latest.filter((scope) => scope !== removed)
    if (left.length === 0) await revoked(stage, installation, { between, random })
    else installation.scopes.set(left, between)
  }
}

/** Suspends one app, or lifts the suspension, so that most apps receive events most of the time. */
async function suspend(stage: Stage, random: Random): Promise<void> {
  if (stage.participants.apps.some(({ active }) => !active.latest)) return unsuspendAll(stage)
  await setSuspended(stage, random.pick(stage.participants.apps), true)
}

async function setSuspended(stage: Stage, { id, active }: Stage['participants']['apps'][number], isSuspended: boolean) {
  const { between } = await timed(() =>
    stage.sql(
      `update platform.apps set suspended_at = case when $2 then clock_timestamp() end,
              suspended_reason = case when $2 then 'Because.' end where id = $1`,
      [id, isSuspended],
    ),
  )
  active.set(!isSuspended, between)
}

export async function unsuspendAll(stage: Stage): Promise<void> {
  for (const app of stage.participants.apps) if (!app.active.latest) await setSuspended(stage, app, false)
}
