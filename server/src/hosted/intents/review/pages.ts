import { facts, notice, points } from '#pages/blocks.ts'
import { actions, button, decisionBar, errorSummary, field, form, hidden, moment } from '#pages/elements.ts'
import { framedPage, introduceApp } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { ACTIONS } from '../actions/table.ts'
import { changesSince, type Shown, shownText } from '../review-facts.ts'
import type { ReviewFrame } from './entry-guard.ts'

type Content = {
  readonly title: string
  readonly first?: HtmlValue
  /** The heading, if it is not the title. */
  readonly question?: HtmlValue
  readonly content: HtmlValue
}

/** Renders a page about one intent: the app, the signed-in person, the content, then what has happened so far. */
export function framed(frame: ReviewFrame, { title, first, question = title, content }: Content): string {
  const { app: name, logo: logoUrl, organization } = frame.entry.asker
  const above = [introduceApp({ name, logoUrl, organization: { name: organization } })]
  return framedPage(frame, { status: 200, title, first, question, above, below: [content, trail(frame)] }).body
}

/** The names and numbers that the person needs for the decision, and who proposed the action. */
export function proposalFacts({ entry }: ReviewFrame, shown: Pick<Shown, 'facts'>): Html {
  const { intent, nowMs } = entry
  const { app, proposer } = entry.asker
  const agent = intent.requestedByAgent
  const requester = [
    proposer === null ? html`The app itself, installed on the syndicate` : html`<bdi>${proposer}</bdi>`,
    html`<span class="hint">through <bdi>${app}</bdi>${agent !== null && html`, as <bdi>${agent}</bdi>`}</span>`,
  ]
  return facts([
    ...shown.facts.map(([label, value]) => [label, lines(value)] as const),
    ['Proposed by', requester],
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

/** Why an intent expired, by the word in the audit. */
export const WHY: Readonly<Record<string, string>> = {
  time: 'nobody decided in time',
  installation_revoked: 'the app lost its access',
  app_stopped: 'the app was suspended, disabled or deleted',
  person_left: 'the person concerned has left',
  draft_deleted: 'the draft was deleted',
}

/** What happened, when, and who did it, from the audit. */
function trail({ entry }: ReviewFrame): HtmlValue {
  const steps = entry.trail.map(({ at, action, who, why }) => {
    const reason = why === null ? undefined : WHY[why]
    const whom = who ?? (action === 'intent.proposed' ? entry.asker.app : null)
    const by = whom !== null && html` by <bdi>${whom}</bdi>`
    return html`${STEPS[action] ?? action}${by}${reason !== undefined && `: ${reason}`} <span class="hint">${moment(at, entry.nowMs)}</span>`
  })
  return html`<section class="stack trail"><h2>What happened so far</h2>${points(steps)}</section>`
}

export const REASON_CHARS_MAX = 2_000

/** A reason that cannot be accepted: its text, and what is wrong with it. */
type BadReason = { readonly text: string; readonly problem: string }

type Review = {
  readonly shown: Shown
  /** What has changed since the person saw the page. */
  readonly changes?: readonly string[]
  readonly badReason?: BadReason
}

/** What will happen, the numbers, who proposed it and what cannot be undone; then the buttons for the decision. */
export function reviewPage(frame: ReviewFrame, { shown, changes = [], badReason }: Review): string {
  const { intent, nowMs } = frame.entry
  const since = changes.length > 0 ? [] : changesSince(intent.shown, shown)
  const wasApproved = frame.entry.trail.some(({ action }) => action === 'intent.returned_to_review')
  const content = [
    html`<p>${shown.summary}</p>`,
    since.length > 0 &&
      notice([`Changed since the ${wasApproved ? 'approval' : 'proposal'}: `, since.map(asSentence).join(' ')]),
    proposalFacts(frame, shown),
    html`<section class="stack"><h2>What cannot be undone</h2>${points([shown.final])}</section>`,
    decision(frame, shown, badReason),
    html`<p class="small muted">Without a decision it expires ${moment(intent.expiresAt, nowMs)}.</p>`,
  ]
  const mistakes = [
    ...changes.map((message) => ({ message })),
    ...(badReason === undefined ? [] : [{ field: 'reason', message: `The reason ${badReason.problem}` }]),
  ]
  const heading =
    changes.length > 0
      ? 'Something changed since you opened this page. Nothing was done; please look again.'
      : undefined
  const first = errorSummary(mistakes, heading)
  return framed(frame, { title: shown.question, question: `${shown.question}?`, first, content })
}

/** The summary of an intent ends with a full stop, the other changes do not. */
function asSentence(change: string): string {
  return change.endsWith('.') ? change : `${change}.`
}

function decision(frame: ReviewFrame, shown: Shown, bad: BadReason | undefined): HtmlValue {
  const { rights, intent } = frame.entry
  const own = ACTIONS[intent.action].deciders === 'proposer'
  // On a phone the bar has room only for the verb; the page's heading shows the question.
  const words = own
    ? 'Approve and post'
    : html`<span>Approve<span class="not-on-phone">: ${shown.question}</span></span>`
  const approving =
    rights.approves &&
    form({
      action: frame.address,
      csrf: frame.csrf,
      content: [
        hidden('shown', shownText(shown)),
        decisionBar(
          button({ label: words, name: 'decision', value: 'approve' }),
          rights.rejects && html`<a class="button on-phone" href="#reject">Reject</a>`,
        ),
      ],
    })
  return [!rights.approves && notice(WHO_DECIDES), approving, rights.rejects && rejecting(frame, bad)]
}

const WHO_DECIDES =
  'You proposed this, so another person has to approve it: a manager of the syndicate with full access. You can take your proposal back.'

/** The field for the reason. Its hint says that the app will see the reason. */
function rejecting({ entry, csrf, address }: ReviewFrame, bad: BadReason | undefined): HtmlValue {
  const content = [
    field({
      name: 'reason',
      label: entry.rights.approves ? 'Reason for rejecting (optional)' : 'Reason (optional)',
      hint: `${entry.asker.app} will see it.`,
      lines: 3,
      maxLength: REASON_CHARS_MAX,
      ...(bad === undefined ? {} : { value: bad.text, error: `It ${bad.problem}` }),
    }),
    actions(
      button({
        label: entry.rights.approves ? 'Reject' : 'Take it back',
        kind: 'danger',
        name: 'decision',
        value: 'reject',
      }),
    ),
  ]
  return html`<div id="reject">${form({ action: address, csrf, content })}</div>`
}

/** For a pending intent that can only be rejected: its action is no longer possible, or its proposer may no longer see the figures. */
export function impossiblePage(frame: ReviewFrame, refusal: string, bad?: BadReason): string {
  const { intent, rights } = frame.entry
  const content = [
    notice(refusal, 'warning'),
    proposalFacts(frame, { facts: [] }),
    rights.rejects && rejecting(frame, bad),
  ]
  return framed(frame, { title: intent.shown.question, question: `${intent.shown.question}?`, content })
}

/** Renders the page again, with the typed reason and what is wrong with it. */
export function rejectionForm(frame: ReviewFrame, badReason: BadReason): string {
  const { look, intent } = frame.entry
  if (look !== null && 'refusal' in look) return impossiblePage(frame, look.refusal, badReason)
  return reviewPage(frame, { shown: look?.shown ?? intent.shown, badReason })
}
