import type { Findings } from './findings.ts'
import { MAIL } from './fixed-data.ts'
import type { CopiedRecord, View } from './reference-model.ts'

/** A row of a page, unchanged. */
export type Row = CopiedRecord & { readonly observed_at: string; readonly cursor?: string; readonly reason?: string }
export type Page = {
  readonly data: readonly Row[]
  readonly meta: { readonly mode: 'bootstrap' | 'delta'; readonly has_more: boolean; readonly next_cursor: string }
}

const TOMBSTONE = ['cursor', 'id', 'observed_at', 'reason', 'visible']
const ANONYMOUS = ['deactivated', 'id', 'via_entity']

export const isTombstone = (row: Row): boolean => !('status' in row)

/** Checks the rules that every page follows, for every reader at every time. */
export function checkPage(page: Page, text: string, { view, findings }: { view: View; findings: Findings }): void {
  checkIdentity(page, text, { view, findings })
  const ids = page.data.map(({ id }) => id)
  if (new Set(ids).size < ids.length) findings.add('order', `an investment twice on one page: ${ids}`)
  if (page.meta.mode === 'bootstrap') checkListing(page, findings)
  else checkSync(page, findings)
}

function checkListing({ data }: Page, findings: Findings): void {
  const ids = data.map(({ id }) => id)
  if (ids.some((id, at) => id < (ids[at - 1] ?? '')))
    findings.add('order', `a listing is not in the order of ids: ${ids}`)
  if (data.some(isTombstone))
    findings.add('answer', `a listing contains a tombstone: ${JSON.stringify(data.find(isTombstone))}`)
}

function checkSync({ data }: Page, findings: Findings): void {
  const times = data.map(({ observed_at }) => observed_at)
  if (times.some((time, at) => time < (times[at - 1] ?? ''))) {
    findings.add('order', `changes on a page are not in the order of their publishing: ${times}`)
  }
  for (const row of data.filter(isTombstone)) {
    const fields = Object.keys(row).sort()
    if (fields.join() !== TOMBSTONE.join()) findings.add('answer', `a tombstone has the fields ${fields}`)
  }
}

/** Checks "Identity absent without read:investors:pii, always present on one's own." */
function checkIdentity({ data }: Page, text: string, { view, findings }: { view: View; findings: Findings }): void {
  const self = view.who.kind === 'company' ? null : view.who.user
  for (const row of data.filter((each) => !isTombstone(each))) {
    const investor = row['investor'] as Readonly<Record<string, unknown>>
    const mayKnow = view.pii || investor['id'] === self
    const fields = Object.keys(investor).sort()
    const showsIdentity = fields.join() !== ANONYMOUS.join() || 'message' in row || 'external_username' in row
    if (showsIdentity !== mayKnow) findings.add('identity', `${mayKnow ? 'missing' : 'shown'}: ${JSON.stringify(row)}`)
  }
  // An email address could be anywhere in the response, so the whole text is searched.
  const addresses = view.pii ? [] : (text.match(new RegExp(`[\\w.]+@${MAIL}`, 'g')) ?? [])
  for (const address of addresses) {
    if (address !== `${self}@${MAIL}`) findings.add('identity', `the response shows ${address}`)
  }
}
