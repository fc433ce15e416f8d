import { notice } from '#http/pages/blocks.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import type { IntentState } from '../intent-states.ts'
import { aboutIt, type Frame, framed } from './frame.ts'

const TITLES: Readonly<Record<Exclude<IntentState, 'pending'>, string>> = {
  approved: 'Approved, and being done',
  executed: 'Done',
  rejected: 'Rejected',
  expired: 'Expired',
  failed: 'Approved, but not done',
}

/** Whoever comes after it was decided, or decided it a moment ago. */
export function outcomePage(frame: Frame): string {
  const { intent } = frame.arrived
  const title = intent.state === 'pending' ? '' : TITLES[intent.state]
  const content = [
    html`<h1>${title}</h1><p class="lead">${intent.shown.question}</p>`,
    told(frame),
    aboutIt(frame, intent.shown),
  ]
  return framed(frame, { title: `${title}: ${intent.shown.question}`, content })
}

function told({ arrived: { intent, nowMs, app } }: Frame): HtmlValue {
  switch (intent.state) {
    case 'executed':
      return notice([intent.impactSummary, ' Done ', moment(intent.executedAt ?? intent.updatedAt, nowMs), '.'])
    case 'rejected':
      return notice(
        intent.rejectionReason === null
          ? 'Nothing was done.'
          : [html`Nothing was done. The reason, which ${app.name} sees: `, html`<bdi>${intent.rejectionReason}</bdi>`],
      )
    case 'expired':
      return notice(
        'Nobody decided in time, or the app lost its access. Nothing was done; the app can propose it again.',
      )
    case 'failed':
      return notice(['Nothing was done. ', intent.failure ?? ''], 'danger')
    default:
      return notice('It will be done within moments. Load the page again to see it.')
  }
}
