import { type HtmlValue, html } from '#http/pages/html.ts'
import { checkoutWords } from '#modules/sessions/index.ts'
import { isUsedUp, remaining, statusOf } from '../link.ts'
import type { Arrived } from './arrive.ts'

type End = { readonly title: string; readonly content: HtmlValue }

/** Why there is nothing more to do with a link; null while there is. Each end has its own words. */
export function endOf(arrived: Arrived): End | null {
  const { found: link, told, asking } = arrived
  const sender = asking === null ? 'whoever sent it' : html`<bdi>${asking.app.organization.name}</bdi>`
  const { nothingDone, done, noun } = checkoutWords(told)
  const status = statusOf(link)
  if (status === 'revoked') {
    const content = html`<p>It was taken back. ${nothingDone}</p><p>If you did not expect that, ask ${sender}.</p>`
    return { title: 'This invitation was withdrawn', content }
  }
  if (link.perPerson && status === 'invested') {
    const content = html`<p>It is with <bdi>${told.companyName}</bdi>, and there is nothing more to do here.</p>`
    return { title: done, content }
  }
  if (link.declinedAt !== null) {
    const content = html`<p>${nothingDone}</p><p>If you have changed your mind, ask ${sender} for a new invitation.</p>`
    return { title: 'You said no to this invitation', content }
  }
  if (isUsedUp(link) || remaining(link) === 0) {
    const content = html`<p>Others were faster, and it allows no further ${noun}. ${nothingDone}</p><p>Ask ${sender} for another one.</p>`
    return { title: 'This invitation has been used up', content }
  }
  return null
}
