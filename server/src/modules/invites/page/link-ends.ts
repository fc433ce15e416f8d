import { type HtmlValue, html } from '#http/pages/html.ts'
import { checkoutWords } from '#modules/sessions/index.ts'
import { isUsedUp, remaining } from '../link.ts'
import type { Arrived } from './arrive.ts'

type End = { readonly title: string; readonly content: HtmlValue }

/**
 * Why there is nothing more to do with a link; null while there is. Each end has its own words. What this person did comes
 * first: whoever has invested is told so, whatever became of the link since.
 */
export function endOf(arrived: Arrived): End | null {
  const { found: link, told, theirs } = arrived
  const over = link.canceledAt !== null || isUsedUp(link) || remaining(link) === 0
  if (theirs && (link.perPerson || over)) {
    const content = html`<p>It is with <bdi>${told.companyName}</bdi>, and there is nothing more to do here.</p>`
    return { title: checkoutWords(told).done, content }
  }
  return withoutThem(arrived)
}

function withoutThem(arrived: Arrived): End | null {
  const { found: link, told, asking } = arrived
  const sender = asking === null ? 'whoever sent it' : html`<bdi>${asking.app.organization.name}</bdi>`
  const nothing = nothingDone(arrived)
  if (link.canceledAt !== null) {
    const content = html`<p>It was taken back. ${nothing}</p><p>If you did not expect that, ask ${sender}.</p>`
    return { title: 'This invitation was withdrawn', content }
  }
  if (link.perPerson && link.investment !== null) {
    const content = html`<p>It was for one ${checkoutWords(told).noun}, which has been made.</p><p>Ask ${sender} for another one.</p>`
    return { title: 'This invitation has been used', content }
  }
  if (link.declinedAt !== null) {
    const content = html`<p>${nothing}</p><p>If you have changed your mind, ask ${sender} for a new invitation.</p>`
    return { title: 'You said no to this invitation', content }
  }
  if (isUsedUp(link) || remaining(link) === 0) {
    const content = html`<p>It allows no further ${checkoutWords(told).noun}. ${nothing}</p><p>Ask ${sender} for another one.</p>`
    return { title: 'This invitation has been used up', content }
  }
  return null
}

/** Of a stranger we cannot say it: one of those who invested may be who has come back. */
function nothingDone({ found: { uses }, told, userId }: Arrived): string | null {
  return userId === null && uses > 0 ? null : checkoutWords(told).nothingDone
}
