import type { Browser } from '#http/browser/browser.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { carryOut } from '../carry-out.ts'
import { type Approval, approveIntent, rejectIntent } from '../decide.ts'
import { changesSince, readShown, type Shown } from '../shown.ts'
import { type Arrived, arrive } from './arrive.ts'
import { addressOf, frameOf, type ReviewDeps } from './frame.ts'
import { askForReason, impossiblePage, REASON_CHARS_MAX, reviewPage } from './review-page.ts'

type Deciding = {
  readonly arrived: Arrived
  readonly caller: AccountCaller
  readonly browser: Browser
  readonly body: { readonly decision: 'approve' | 'reject'; readonly shown?: string; readonly reason?: string }
  readonly requestId: string
}

export async function decideReview(deps: ReviewDeps, deciding: Deciding) {
  return deciding.body.decision === 'approve' ? approve(deps, deciding) : reject(deps, deciding)
}

/** Back to the page, which then says what became of it; loading it again decides nothing. */
function back(arrived: Arrived) {
  return { status: 303 as const, body: null, headers: { Location: addressOf(arrived) } }
}

async function reject(deps: ReviewDeps, deciding: Deciding) {
  const { arrived, body, requestId } = deciding
  const reason = (body.reason ?? '').replaceAll('\r\n', '\n').trim()
  const problem = problemOf(reason)
  if (problem !== null && arrived.look !== null) {
    return { status: 422 as const, body: askForReason(frameOf(deps, deciding), { text: reason, problem }) }
  }
  const by = { id: arrived.intent.id, by: arrived.userId, requestId }
  const given = reason === '' || problem !== null ? null : reason
  await deps.databases[arrived.world].transaction((tx) => rejectIntent(tx, { ...by, reason: given }))
  return back(arrived)
}

const READABLE = new RegExp(SEEN_PARAGRAPHS_PATTERN, 'u')

/** The app's people read it: text that can be read, and not more of it than the page takes. */
function problemOf(reason: string): string | null {
  if (reason.length > REASON_CHARS_MAX) return 'is too long: 2,000 characters at most'
  return reason === '' || READABLE.test(reason) ? null : 'holds characters that cannot be shown'
}

async function approve(deps: ReviewDeps, deciding: Deciding) {
  const { arrived, body } = deciding
  const shown = readShown(body.shown ?? '')
  const outcome = await approveAsShown(deps, deciding, shown)
  if (outcome === 'changed') return askAgain(deps, deciding, shown)
  if (outcome === 'approved') await carryOutNow(deps, arrived)
  return back(arrived)
}

async function approveAsShown(deps: ReviewDeps, deciding: Deciding, shown: Shown | null): Promise<Approval> {
  const { arrived, requestId } = deciding
  const approval = { id: arrived.intent.id, by: arrived.userId, requestId, shown }
  try {
    return await deps.databases[arrived.world].transaction((tx) => approveIntent(tx, approval, deps.around))
  } catch (error) {
    // What it is about is gone, or not in the state any more from which this leads: the next look says so.
    const impossible = error instanceof ApiError && (error.type === 'validation_error' || error.type === 'not_found')
    if (impossible) return 'changed'
    throw error
  }
}

/** "If anything changed since the page was opened, the page says what, and asks again." */
async function askAgain(deps: ReviewDeps, deciding: Deciding, before: Shown | null) {
  const arrival = await arrive(deps, deciding.caller, deciding.arrived.intent.id)
  const arrived = 'arrived' in arrival ? arrival.arrived : deciding.arrived
  const { look } = arrived
  if (look === null) return back(arrived)
  const frame = frameOf(deps, { ...deciding, arrived })
  if ('refusal' in look) return { status: 409 as const, body: impossiblePage(frame, look.refusal) }
  const changes = before === null ? [] : changesSince(before, look.shown)
  const told = changes.length > 0 ? changes : ['Please look at this page again before you decide.']
  return { status: 409 as const, body: reviewPage(frame, { shown: look.shown, changes: told }) }
}

/** A fault of ours is no refusal: it is approved, and the workers come back to it. */
async function carryOutNow({ databases, around, log }: ReviewDeps, { world, intent }: Arrived): Promise<void> {
  try {
    await carryOut(databases[world], intent.id, around)
  } catch (error) {
    log.error({ err: error, intent: intent.id }, 'an approved intent could not be carried out; it will be tried again')
  }
}
