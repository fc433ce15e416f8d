import { notice, points } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden } from '#http/pages/elements.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import { ACTIONS } from '../actions/table.ts'
import { changesSince, type Shown, shownText } from '../shown.ts'
import { aboutIt, addressOf, type Frame, framed } from './frame.ts'

export const REASON_CHARS_MAX = 2_000

type Review = {
  readonly shown: Shown
  /** What is no longer as the person saw it when they approved. */
  readonly changes?: readonly string[]
  readonly reasonTooLong?: string
}

/** What will happen, the numbers that matter, who proposed it, what cannot be undone; then the decision. */
export function reviewPage(frame: Frame, { shown, changes = [], reasonTooLong }: Review): string {
  const { intent, nowMs } = frame.arrived
  const since = changes.length > 0 ? [] : changesSince(intent.shown, shown)
  const content = [
    html`<h1>${shown.question}?</h1><p class="lead">${shown.summary}</p>`,
    since.length > 0 && notice(['This is how it is now. When it was proposed: ', since.join('. ')]),
    aboutIt(frame, shown),
    html`<section class="stack"><h2>What cannot be undone</h2>${points([shown.final])}</section>`,
    decision(frame, shown, reasonTooLong),
    html`<p class="small muted">It expires ${moment(intent.expiresAt, nowMs)} if nobody decides.</p>`,
  ]
  const mistakes = [
    ...changes.map((message) => ({ message })),
    ...(reasonTooLong === undefined ? [] : [{ field: 'reason', message: 'The reason is too long' }]),
  ]
  const told =
    changes.length > 0
      ? 'Something changed since you opened this page. Nothing was done; please look again.'
      : undefined
  const first = errorSummary(mistakes, told)
  return framed(frame, { title: shown.question, first, content })
}

function decision(frame: Frame, shown: Shown, tooLong: string | undefined): HtmlValue {
  const { say, intent } = frame.arrived
  const own = ACTIONS[intent.action].deciders === 'proposer'
  const words = own ? 'Approve and post' : `Approve: ${shown.question}`
  const approving =
    say.approves &&
    form({
      action: addressOf(frame.arrived),
      csrf: frame.csrf,
      content: [
        hidden('shown', shownText(shown)),
        actions(button({ label: words, name: 'decision', value: 'approve' })),
      ],
    })
  return [!say.approves && notice(WHO_DECIDES), approving, say.rejects && rejecting(frame, tooLong)]
}

const WHO_DECIDES =
  'You proposed this, so somebody else has to approve it: another person who runs the syndicate with full access. You can take it back.'

/** What the app will read, so the person knows. */
function rejecting({ arrived, csrf }: Frame, tooLong: string | undefined): HtmlValue {
  const content = [
    field({
      name: 'reason',
      label: arrived.say.approves ? 'Reason for rejecting (optional)' : 'Reason (optional)',
      hint: `${arrived.app.name} will see it.`,
      lines: 3,
      maxLength: REASON_CHARS_MAX,
      ...(tooLong === undefined ? {} : { value: tooLong, error: `Must not be longer than 2,000 characters` }),
    }),
    actions(
      button({
        label: arrived.say.approves ? 'Reject' : 'Take it back',
        kind: 'danger',
        name: 'decision',
        value: 'reject',
      }),
    ),
  ]
  return form({ action: addressOf(arrived), csrf, content })
}

/** It waits, and can no longer be done: all that is left is to say no. */
export function impossiblePage(frame: Frame, refusal: string): string {
  const { intent, say } = frame.arrived
  const content = [
    html`<h1>${intent.shown.question}?</h1>`,
    notice(['This can no longer be done. ', refusal], 'warning'),
    aboutIt(frame, { facts: [] }),
    say.rejects && rejecting(frame, undefined),
  ]
  return framed(frame, { title: intent.shown.question, content })
}
