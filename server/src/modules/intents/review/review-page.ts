import { notice, points } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden } from '#http/pages/elements.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import { ACTIONS } from '../actions/table.ts'
import { changesSince, type Shown, shownText } from '../shown.ts'
import { aboutIt, addressOf, type Frame, framed } from './frame.ts'

export const REASON_CHARS_MAX = 2_000

/** What was written for a reason, and why it cannot stay so. */
export type BadReason = { readonly text: string; readonly problem: string }

type Review = {
  readonly shown: Shown
  /** What is no longer as the person saw it when they approved. */
  readonly changes?: readonly string[]
  readonly badReason?: BadReason
}

/** What will happen, the numbers that matter, who proposed it, what cannot be undone; then the decision. */
export function reviewPage(frame: Frame, { shown, changes = [], badReason }: Review): string {
  const { intent, nowMs } = frame.arrived
  const since = changes.length > 0 ? [] : changesSince(intent.shown, shown)
  const content = [
    html`<h1>${shown.question}?</h1><p class="lead">${shown.summary}</p>`,
    since.length > 0 && notice(['This is how it is now. When it was proposed: ', since.join('. ')]),
    aboutIt(frame, shown),
    html`<section class="stack"><h2>What cannot be undone</h2>${points([shown.final])}</section>`,
    decision(frame, shown, badReason),
    html`<p class="small muted">It expires ${moment(intent.expiresAt, nowMs)} if nobody decides.</p>`,
  ]
  const mistakes = [
    ...changes.map((message) => ({ message })),
    ...(badReason === undefined ? [] : [{ field: 'reason', message: `The reason ${badReason.problem}` }]),
  ]
  const told =
    changes.length > 0
      ? 'Something changed since you opened this page. Nothing was done; please look again.'
      : undefined
  const first = errorSummary(mistakes, told)
  return framed(frame, { title: shown.question, first, content })
}

function decision(frame: Frame, shown: Shown, bad: BadReason | undefined): HtmlValue {
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
  return [!say.approves && notice(WHO_DECIDES), approving, say.rejects && rejecting(frame, bad)]
}

const WHO_DECIDES =
  'You proposed this, so somebody else has to approve it: another person who runs the syndicate with full access. You can take it back.'

/** What the app will read, so the person knows. */
function rejecting({ arrived, csrf }: Frame, bad: BadReason | undefined): HtmlValue {
  const content = [
    field({
      name: 'reason',
      label: arrived.say.approves ? 'Reason for rejecting (optional)' : 'Reason (optional)',
      hint: `${arrived.asker.app} will see it.`,
      lines: 3,
      maxLength: REASON_CHARS_MAX,
      ...(bad === undefined ? {} : { value: bad.text, error: `It ${bad.problem}` }),
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

/** It waits, and cannot be done, or not by them: all that is left is to say no. */
export function impossiblePage(frame: Frame, refusal: string, bad?: BadReason): string {
  const { intent, say } = frame.arrived
  const content = [
    html`<h1>${intent.shown.question}?</h1>`,
    notice(refusal, 'warning'),
    aboutIt(frame, { facts: [] }),
    say.rejects && rejecting(frame, bad),
  ]
  return framed(frame, { title: intent.shown.question, content })
}

/** The same page again, with what was written for a reason and what is wrong with it. */
export function askForReason(frame: Frame, badReason: BadReason): string {
  const { look, intent } = frame.arrived
  if (look !== null && 'refusal' in look) return impossiblePage(frame, look.refusal, badReason)
  return reviewPage(frame, { shown: look?.shown ?? intent.shown, badReason })
}
