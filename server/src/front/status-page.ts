import { card, notice, tag } from '#pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { moment } from '#pages/moment.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Component, ComponentName, State, Status } from './status.ts'

const TITLES: Readonly<Record<Status['state'], string>> = {
  ok: 'Everything works',
  degraded: 'Some things are slow or stopped',
  down: 'The service is down',
}

const LEADS: Readonly<Record<Status['state'], string>> = {
  ok: 'Requests are answered, changes are published and webhooks are sent.',
  degraded: 'Requests are answered. Nothing is lost: what waits is published and sent later, in order.',
  down: 'The database cannot be reached, so requests get 503. Nothing that was confirmed is lost.',
}

const NAMES: Readonly<Record<ComponentName, { readonly name: string; readonly what: string }>> = {
  api: { name: 'API and pages', what: 'Answers requests.' },
  database: { name: 'Database', what: 'Holds everything.' },
  workers: { name: 'Background workers', what: 'Publish changes, send webhooks and mail.' },
  ledger: { name: 'Investment feed', what: 'Publishes changes of investments.' },
  deliveries: { name: 'Webhook deliveries', what: 'Sends events to apps.' },
}

const STATES: Readonly<Record<State, { readonly label: string; readonly kind: 'plain' | 'warning' | 'danger' }>> = {
  ok: { label: 'Works', kind: 'plain' },
  degraded: { label: 'Slow', kind: 'warning' },
  down: { label: 'Stopped', kind: 'danger' },
  unknown: { label: 'Unknown', kind: 'warning' },
}

export function statusPage({ state, checkedMs, components }: Status, brand: ShownBrand): string {
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
  const { label, kind } = STATES[state]
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
