import type { Browser } from '#http/browser/browser.ts'
import { appHead, card, facts, points } from '#http/pages/blocks.ts'
import { signedInAs } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import { moment } from '#http/pages/moment.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Log } from '#system/log.ts'
import type { Around } from '../actions/action.ts'
import { reviewPath } from '../schemas.ts'
import type { Shown } from '../shown.ts'
import type { Arrived, Worlds } from './arrive.ts'

export type ReviewDeps = {
  readonly databases: Worlds
  readonly brand: ShownBrand
  readonly log: Pick<Log, 'error'>
  readonly around: Around
}

/** What the pages of one visit have in common. */
export type Frame = {
  readonly arrived: Arrived
  readonly brand: ShownBrand
  readonly person: Person
  readonly csrf: string
}

export type Met = { readonly arrived: Arrived; readonly caller: AccountCaller; readonly browser: Browser }

export function frameOf({ brand }: ReviewDeps, { arrived, caller, browser }: Met): Frame {
  return { arrived, brand, person: caller, csrf: browser.csrf }
}

export const addressOf = ({ intent }: Arrived) => reviewPath(intent.id)

type Content = { readonly title: string; readonly first?: HtmlValue; readonly content: HtmlValue }

/** Who asks, who is being asked, and then what the page is about. */
export function framed(frame: Frame, { title, first, content }: Content): string {
  const { arrived, brand, person, csrf } = frame
  const { app, logo, organization } = arrived.asker
  const main = card(
    first,
    appHead({
      name: app,
      logoUrl: logo,
      lines: [html`by <bdi>${organization}</bdi>`],
      heading: 2,
    }),
    signedInAs({ person, csrf, returnTo: addressOf(arrived) }),
    content,
    trail(frame),
  )
  return page({ title, main, brand, world: arrived.world })
}

/** The names and numbers that matter, and who asks for it. */
export function aboutIt({ arrived }: Frame, shown: Pick<Shown, 'facts'>): Html {
  const { intent, nowMs } = arrived
  const { app, proposer } = arrived.asker
  const agent = intent.requestedByAgent
  const asked = [
    proposer === null ? html`The app itself, installed on the syndicate` : html`<bdi>${proposer}</bdi>`,
    html`<span class="hint">through <bdi>${app}</bdi>${agent !== null && html`, as <bdi>${agent}</bdi>`}</span>`,
  ]
  return facts([
    ...shown.facts.map(([label, value]) => [label, lines(value)] as const),
    ['Proposed by', asked],
    ['Proposed', moment(intent.createdAt, nowMs)],
  ])
}

function lines(text: string): HtmlValue {
  return html`<bdi>${text.split('\n').map((line, at) => (at === 0 ? line : [html`<br>`, line]))}</bdi>`
}

const STEPS: Readonly<Record<string, string>> = {
  'intent.proposed': 'Proposed',
  'intent.approved': 'Approved',
  'intent.executed': 'Done',
  'intent.rejected': 'Rejected',
  'intent.expired': 'Expired',
  'intent.failed': 'Could not be done',
  'intent.returned_to_review': 'Back to review, because something had changed',
}

/** Why one expired, as the audit has it. */
export const WHY: Readonly<Record<string, string>> = {
  time: 'its time was up',
  installation_revoked: 'the app lost its access',
  app_stopped: 'the app was taken out of service',
  person_left: 'the person it was about has left',
  draft_deleted: 'the draft was deleted',
}

/** From the audit: what happened when, and by whom. */
function trail({ arrived }: Frame): HtmlValue {
  const steps = arrived.trail.map(({ at, action, who, why }) => {
    const reason = why === null ? undefined : WHY[why]
    const whom = who ?? (action === 'intent.proposed' ? arrived.asker.app : null)
    const by = whom !== null && html` by <bdi>${whom}</bdi>`
    return html`${STEPS[action] ?? action}${by}${reason !== undefined && `: ${reason}`} <span class="hint">${moment(at, arrived.nowMs)}</span>`
  })
  return html`<section class="stack trail"><h2>What happened so far</h2>${points(steps)}</section>`
}
