import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SignUpSetting } from '#access/accounts/settings.ts'
import type { DemoDoor } from '#front/http.ts'
import type { FactRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { glanceAtLedger } from '#ledger/index.ts'
import type { OpenDemo } from '#pages/reference/page.ts'
import type { Log } from '#system/log.ts'
import type { Databases, WorldDatabase } from '#system/postgres/database.ts'
import type { Config } from './config.ts'
import type { DatabaseServer } from './database-server.ts'
import { type DemoFile, type DemoPlan, type DemoWorld, loadDemo } from './optional-workspaces.ts'
import type { StartSteps } from './start-steps.ts'
import type { WorkerHost } from './worker-host.ts'

type Parts = {
  readonly config: Config
  readonly databases: Databases
  readonly plan: PlannedDemo | null
  readonly log: Log
  readonly signal: AbortSignal | undefined
  readonly steps: StartSteps
}

const DEMO_FILE = 'demo.json'

export type ShownPerson = { readonly email: string; readonly password: string }
export type PlannedDemo = { readonly nowMs: number; readonly plan: DemoPlan }

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * By default only the embedded database gets the demo, and only if no other machine can reach the service: the passwords of the
 * demo's people are public.
 */
export function wantsDemo({ demo, databaseUrl, host }: Config): boolean {
  return demo === null ? databaseUrl === null && LOOPBACK_HOSTS.has(host) : demo === 'on'
}

/** By default every visitor may sign up in the embedded demo, and only invited people elsewhere. */
export function signUpSetting(config: Config): SignUpSetting {
  return config.signUp ?? (wantsDemo(config) && config.databaseUrl === null ? 'open' : 'invitation')
}

/** The demo's facts for a new database, computed while PostgreSQL runs the migrations. */
export async function planDemoIfEmpty(config: Config, { isEmpty }: DatabaseServer): Promise<PlannedDemo | null> {
  if (!isEmpty || !wantsDemo(config)) return null
  const { planDemo } = await loadDemo()
  const nowMs = systemClock.now()
  return { nowMs, plan: planDemo(nowMs) }
}

export async function makeDemo({ databases, plan, signal, steps }: Parts, rules: FactRules): Promise<DemoWorld> {
  return steps.run({
    name: 'demo',
    doing: 'making the demo world',
    work: async (show) => {
      const { ensureDemoWorld } = await loadDemo()
      return ensureDemoWorld({
        databases,
        rules,
        ...(plan ?? { nowMs: systemClock.now() }),
        onProgress: (share) => {
          signal?.throwIfAborted()
          show(`${Math.floor(share * 100)} %`)
        },
      })
    },
    outcome: ({ facts }) => (facts === 0 ? null : { text: 'the demo world is made', facts }),
  })
}

export function writeDemoFile({ config, steps }: Parts, demo: DemoWorld, address: string): Promise<DemoFile> {
  const { baseUrl, dataDirectory } = config
  return steps.run({
    name: 'demo',
    doing: 'making the demo’s keys and apps',
    work: () => demo.writeFile({ baseUrl: baseUrl ?? address, dataDirectory }),
    outcome: () => null,
  })
}

const POLL_EVERY_MS = 20
/**
 * Far longer than publishing takes. After this time the service starts although not all of the demo's investments are listed yet.
 */
const PUBLISHED_WITHIN_MS = 30_000

/** Delays the start until `GET /investments` returns all of the demo's investments, or until `PUBLISHED_WITHIN_MS` is over. */
export async function waitUntilPublished({ databases, log, signal, steps }: Parts, workers: WorkerHost): Promise<void> {
  const isPublished = async (db: WorldDatabase) => !(await glanceAtLedger(db)).waiting
  if (await isPublished(databases.test)) return
  const deadline = performance.now() + PUBLISHED_WITHIN_MS
  await steps.run({
    name: 'ledger',
    doing: 'publishing the demo’s investments',
    work: async () => {
      workers.wake()
      while (performance.now() < deadline) {
        if (await isPublished(databases.test)) return true
        await wait(POLL_EVERY_MS, undefined, { signal })
      }
      log.warn('the demo’s investments are not all published yet; the workers continue')
      return false
    },
    outcome: (published) => (published ? { text: 'the demo’s investments are published' } : null),
  })
}

export function peopleOf({ people }: DemoFile): readonly ShownPerson[] {
  return Object.values(people).map(({ email, password }) => ({ email, password }))
}

/** The part of the front page for the person at this machine: the people they can sign in as, and commands for their terminal. */
export function demoDoor({ apps, people, ids }: DemoFile, { dataDirectory, passwordSignIn }: Config): DemoDoor | null {
  const [app] = apps
  const [key] = app?.keys ?? []
  if (app === undefined || key === undefined) return null
  const shown = Object.entries(people).map(([part, { name, email, password }]) => ({
    part: part as keyof typeof people,
    ...{ name, email, password },
  }))
  return {
    people: shown,
    file: resolve(dataDirectory, DEMO_FILE),
    app: { name: app.name, clientId: key.client_id },
    ids: { offering: ids.offering_public, investor: people.investor.id },
    passwords: passwordSignIn === 'on',
  }
}

/** The part of the demo's file that the public reference page may show. It contains no secrets and no passwords. */
export function openDemo({ apps, people, ids }: DemoFile): OpenDemo | null {
  const [app, other] = apps
  const keyOf = (type: string) => app?.keys.find((key) => key.mode === 'test' && key.type === type)?.client_id
  const [publishableKey, clientId] = [keyOf('confidential'), keyOf('public')]
  if (app === undefined || publishableKey === undefined || clientId === undefined) return null
  return {
    publishableKey,
    clientId,
    // The scopes of referral codes are left out, because no user can grant them: "The referral-code scopes are held by the app's
    // server key only".
    scopes: app.scopes.filter((scope) => !scope.endsWith(':referral_codes')),
    people: {
      ...{ investor: people.investor.email, founder: people.founder.email },
      ...{ manager: people.manager.email, developer: people.developer.email },
    },
    ids: {
      co_: ids.company,
      ofr_: ids.offering_public,
      syn_: ids.syndicate,
      // This must be a deal of the syndicate above. The public offering is not such a deal.
      fundraise_id: ids.offering_private,
      inv_: ids.investment,
      usr_: people.investor.id,
      // The page sends trial requests with a token of the first app. A request that disconnects the first app would
      // revoke this token, so the example is another app, if there is one.
      app_: (other ?? app).id,
      org_: app.organization_id,
    },
    // The investor comes first, because most requests of the sandbox are about an investor.
    users: [...new Set([people.investor, ...Object.values(people)])].map(({ id, name }) => ({ id, name })),
  }
}
