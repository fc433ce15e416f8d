import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { nullable, oneOf } from '#http/schema-fields.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import { card, notice, tag } from '#pages/blocks.ts'
import { moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'

/** Facts that `main` provides; `lag` is null if the database did not respond. */
export type StatusFacts = {
  readonly database: 'ok' | 'unreachable'
  readonly workers: 'ok' | 'silent'
  readonly lag: Readonly<Record<World, Lag>> | null
}

/** In seconds: how long the oldest change and the oldest delivery have been waiting. */
export type Lag = { readonly ledger: number; readonly deliveries: number }

const COMPONENTS = ['api', 'database', 'workers', 'ledger', 'deliveries'] as const
type ComponentName = (typeof COMPONENTS)[number]
/** `unknown`: the component's state can be read only from the database, which cannot be reached. */
export const STATES = ['ok', 'degraded', 'down', 'unknown'] as const
export type State = (typeof STATES)[number]

type Component = {
  readonly name: ComponentName
  readonly state: State
  /** Since when this process has seen this state; at the earliest, when the process started. */
  readonly sinceMs: number
  readonly lagSeconds: Readonly<Record<World, number>> | null
}

export type Status = {
  readonly state: 'ok' | 'degraded' | 'down'
  readonly checkedMs: number
  readonly components: readonly Component[]
}

type StatusDeps = {
  readonly brand: ShownBrand
  readonly clock: WallClock
  /** Resolves within seconds, even while the database does not respond. */
  readonly statusFacts: () => Promise<StatusFacts>
}

const Seconds = Type.Integer({ minimum: 0 })

const ComponentShape = Type.Object(
  {
    name: oneOf(COMPONENTS),
    status: oneOf(STATES, '`unknown`: the state can be read only from the database, which cannot be reached.'),
    since: Type.String({
      format: 'date-time',
      description: 'Since when the server that responds has seen this state; at the earliest, when it started.',
    }),
    lag_seconds: nullable(Type.Object({ live: Seconds, test: Seconds }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

const StatusShape = Type.Object(
  {
    status: oneOf(['ok', 'degraded', 'down']),
    checked_at: Type.String({ format: 'date-time' }),
    components: Type.Array(ComponentShape),
  },
  { title: 'Status', additionalProperties: false },
)

/**
 * Every caller may read the status. So any number of requests cause at most one read every five seconds, and the status names no
 * partner.
 */
export function statusRoutes({ brand, clock, statusFacts }: StatusDeps): Route[] {
  const read = statusReader({ clock, facts: statusFacts })
  const access = open('Partners and people may know whether the service works. No partner is named or counted.')
  return [
    route({
      operation: 'showStatus',
      method: 'GET',
      path: '/status',
      alias: false,
      summary: 'Show the status page',
      description:
        'Shows what works, since when, and how far the investment feed and the webhook deliveries are behind.',
      tag: 'Pages',
      access,
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String(), 503: Type.String() } },
      handler: async () => {
        const status = await read()
        const page = { body: statusPage(status, brand), headers: PAGE_HEADERS }
        return status.state === 'down' ? { status: 503, ...page } : { status: 200, ...page }
      },
    }),
    route({
      operation: 'getStatus',
      method: 'GET',
      path: '/status.json',
      alias: false,
      cors: 'any',
      summary: 'Get the status',
      description:
        'Returns what works, since when, and how far the investment feed and the webhook deliveries are behind. The state is read at ' +
        'most every five seconds. 503 while the database cannot be reached.',
      tag: 'Service',
      access,
      schema: { response: { 200: StatusShape, 503: StatusShape } },
      handler: async () => {
        const status = await read()
        const body = shown(status)
        return status.state === 'down' ? { status: 503, body } : { status: 200, body }
      },
    }),
  ]
}

function shown({ state, checkedMs, components }: Status) {
  return { status: state, checked_at: new Date(checkedMs).toISOString(), components: components.map(componentOf) }
}

function componentOf({ name, state, sinceMs, lagSeconds }: Component) {
  return { name, status: state, since: new Date(sinceMs).toISOString(), lag_seconds: lagSeconds }
}

const TITLES: Readonly<Record<Status['state'], string>> = {
  ok: 'Everything works',
  degraded: 'Some things are slow or stopped',
  down: 'The service is down',
}

const LEADS: Readonly<Record<Status['state'], string>> = {
  ok: 'Requests are answered, changes are published and webhooks are sent.',
  degraded:
    'Requests are answered. Nothing is lost: waiting changes are published later and waiting webhooks are sent later, in order.',
  down: 'The database cannot be reached, so requests get 503. Nothing that was confirmed is lost.',
}

const NAMES: Readonly<Record<ComponentName, { readonly name: string; readonly what: string }>> = {
  api: { name: 'API and pages', what: 'Answers requests.' },
  database: { name: 'Database', what: 'Stores all data.' },
  workers: { name: 'Background workers', what: 'Publish changes, send webhooks and mail.' },
  ledger: { name: 'Investment feed', what: 'Publishes changes of investments.' },
  deliveries: { name: 'Webhook deliveries', what: 'Sends events to apps.' },
}

const STATE_TAGS: Readonly<Record<State, { readonly label: string; readonly kind: 'plain' | 'warning' | 'danger' }>> = {
  ok: { label: 'Works', kind: 'plain' },
  degraded: { label: 'Slow', kind: 'warning' },
  down: { label: 'Stopped', kind: 'danger' },
  unknown: { label: 'Unknown', kind: 'warning' },
}

function statusPage({ state, checkedMs, components }: Status, brand: ShownBrand): string {
  const title = TITLES[state]
  const main = card(
    html`<h1>${title}</h1>`,
    html`<p class="lead">${LEADS[state]}</p>`,
    html`<ul class="states">${components.map(row)}</ul>`,
    state !== 'ok' && notice('Load this page again in a moment to see whether it has changed.'),
    html`<p class="hint">Checked ${moment(iso(checkedMs), checkedMs)}, at most every five seconds. For programs: <a href="/status.json">status.json</a>.</p>`,
    html`<p><a href="/">Go to the front page</a></p>`,
  )
  return page({ title: `Status: ${title}`, brand, main })
}

function row({ name, state, sinceMs, lagSeconds }: Component): Html {
  const { label, kind } = STATE_TAGS[state]
  return html`<li class="state-row"><div><h2>${NAMES[name].name}</h2><span class="hint">${NAMES[name].what}${behind(lagSeconds)}</span></div>
<div class="state">${tag(label, kind)}<span class="hint">since ${timeOf(sinceMs)}</span></div></li>`
}

function behind(lag: Component['lagSeconds']): HtmlValue {
  if (lag === null) return undefined
  if (lag.live < 1 && lag.test < 1) return ' Nothing waits.'
  return ` Behind by ${inWords(lag.live)} (live) and ${inWords(lag.test)} (sandbox).`
}

function inWords(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
}

const iso = (ms: number) => new Date(ms).toISOString()
const DAY_AND_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function timeOf(ms: number): Html {
  return html`<time datetime="${iso(ms)}">${DAY_AND_TIME.format(ms)} UTC</time>`
}

/** The state is read at most once in this time, no matter how many people load the page. */
export const CACHED_MS = 5_000
/** A longer lag counts as degraded. Usually the lags of the ledger and of the deliveries are well under a second. */
const LAG_MAX_SECONDS = 60

type Sources = { readonly clock: WallClock; readonly facts: () => Promise<StatusFacts> }

/** The state of the service and of each part, with the time of its last change. Read at most every five seconds. */
export function statusReader({ clock, facts }: Sources): () => Promise<Status> {
  const startedMs = clock.now()
  const before = new Map<ComponentName, Component>()
  let last: { readonly readMs: number; readonly status: Promise<Status> } | null = null

  const read = async (): Promise<Status> => {
    const found = await facts()
    const checkedMs = clock.now()
    const components = COMPONENTS.map((name) => {
      const { state, lagSeconds } = checkComponent(name, found)
      const previous = before.get(name)
      const sinceMs = previous === undefined ? startedMs : previous.state === state ? previous.sinceMs : checkedMs
      const component = { name, state, lagSeconds, sinceMs }
      before.set(name, component)
      return component
    })
    return { state: overall(components), checkedMs, components }
  }

  return () => {
    const nowMs = clock.now()
    const isFresh = last !== null && Math.abs(nowMs - last.readMs) < CACHED_MS
    if (last === null || !isFresh) last = { readMs: nowMs, status: read() }
    return last.status
  }
}

type Checked = Pick<Component, 'state' | 'lagSeconds'>

function checkComponent(name: ComponentName, { database, workers, lag }: StatusFacts): Checked {
  switch (name) {
    case 'api':
      return { state: 'ok', lagSeconds: null }
    case 'database':
      return { state: database === 'ok' ? 'ok' : 'down', lagSeconds: null }
    case 'workers':
      // The workers record their activity in the database, so their state is unknown without it.
      return { state: database === 'ok' ? (workers === 'ok' ? 'ok' : 'down') : 'unknown', lagSeconds: null }
    case 'ledger':
    case 'deliveries': {
      if (lag === null) return { state: 'unknown', lagSeconds: null }
      const lagSeconds = { live: lag.live[name], test: lag.test[name] }
      const isLate = Math.max(lagSeconds.live, lagSeconds.test) > LAG_MAX_SECONDS
      return { state: isLate ? 'degraded' : 'ok', lagSeconds }
    }
  }
}

function overall(components: readonly Component[]): Status['state'] {
  if (components.some(({ name, state }) => name === 'database' && state === 'down')) return 'down'
  return components.every(({ state }) => state === 'ok') ? 'ok' : 'degraded'
}
