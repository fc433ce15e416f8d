import { notice } from '#http/pages/blocks.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import type { IntentState } from '../intent-states.ts'
import { aboutIt, type Frame, framed, WHY } from './frame.ts'
import type { TrailStep } from './trail-store.ts'

const TITLES: Readonly<Record<Exclude<IntentState, 'pending'>, string>> = {
  approved: 'Approved, and being done',
  executed: 'Done',
  rejected: 'Rejected',
  expired: 'Expired',
  failed: 'Approved, but not done',
}

/** Whoever comes after it was decided, or decided it a moment ago. */
export function outcomePage(frame: Frame): string {
  const { intent, say } = frame.arrived
  const title = intent.state === 'pending' ? '' : TITLES[intent.state]
  const content = [
    html`<h1>${title}</h1><p class="lead">${intent.shown.question}</p>`,
    told(frame),
    // What it was worth is for those who run the syndicate, and for whoever decided.
    aboutIt(frame, say.informed ? intent.shown : { facts: [] }),
  ]
  return framed(frame, { title: `${title}: ${intent.shown.question}`, content })
}

function told({ arrived: { intent, nowMs, asker, trail } }: Frame): HtmlValue {
  switch (intent.state) {
    case 'executed':
      return notice([intent.impactSummary, ' Done ', moment(intent.executedAt ?? intent.updatedAt, nowMs), '.'])
    case 'rejected':
      return notice(
        intent.rejectionReason === null
          ? 'Nothing was done.'
          : [html`Nothing was done. The reason, which ${asker.app} sees: `, html`<bdi>${intent.rejectionReason}</bdi>`],
      )
    case 'expired':
      return notice(`It expired: ${whyOf(trail)}. Nothing was done.`)
    case 'failed':
      return notice(['Nothing was done. ', intent.failure ?? ''], 'danger')
    default:
      return notice('It will be done within moments. Load the page again to see it.')
  }
}

/** One whose time is up reads as expired before a worker has written so. */
function whyOf(trail: readonly TrailStep[]): string {
  const why = trail.findLast(({ action }) => action === 'intent.expired')?.why ?? 'time'
  return WHY[why] ?? why
}
