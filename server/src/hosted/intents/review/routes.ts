import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { keepFormAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { notice } from '#pages/blocks.ts'
import { moment } from '#pages/elements.ts'
import { away } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { type Approval, approveIntent, carryOut, rejectIntent } from '../decide.ts'
import type { IntentState } from '../intent.ts'
import { changesSince, readShown, type Shown } from '../review-facts.ts'
import { IntentParam, reviewPath } from '../schemas.ts'
import type { TrailStep } from '../store.ts'
import {
  frameOf,
  guardReviewPage,
  type ReviewDeps,
  type ReviewEntry,
  type ReviewFrame,
  type ReviewVisit,
} from './entry-guard.ts'
import { framed, impossiblePage, proposalFacts, REASON_CHARS_MAX, rejectionForm, reviewPage, WHY } from './pages.ts'

export type { ReviewDeps }

const Page = Type.String()
const COMMON = {
  path: '/intents/:intent_id/review',
  alias: false,
  tag: 'Intents',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const

const Decision = Type.Object({
  decision: Type.Union([Type.Literal('approve'), Type.Literal('reject')]),
  shown: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
})

/** The page on which people decide. Only this form in a person's own browser approves anything. */
export const reviewRoutes = (deps: ReviewDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showIntentReview',
    method: 'GET',
    documented: true,
    summary: 'Show an intent for review',
    description: 'Shows the page on which a person approves or rejects what an app proposed.',
    schema: { params: IntentParam, response: { 200: Page, 403: Page } },
    handler: async (visit) => {
      const guarded = await guardReviewPage(deps, visit)
      if ('answer' in guarded) return guarded.answer
      const { entry } = guarded
      return { status: 200, body: shownPage({ ...frameOf(deps, visit, entry.world), entry }) }
    },
  }),
  route({
    ...COMMON,
    operation: 'decideIntentReview',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: {
      params: IntentParam,
      body: Decision,
      response: { 303: Type.Null(), 307: Type.Null(), 403: Page, 409: Page, 422: Page },
    },
    // The transaction begins later, because the world of the intent is known only after the intent was found.
    handler: async (visit) => {
      const guarded = await guardReviewPage(deps, visit)
      return 'answer' in guarded ? guarded.answer : decideReview(deps, { ...visit, entry: guarded.entry })
    },
  }),
]

function shownPage(frame: ReviewFrame): string {
  const { look } = frame.entry
  if (look === null) return outcomePage(frame)
  return 'shown' in look ? reviewPage(frame, look) : impossiblePage(frame, look.refusal)
}

const TITLES: Readonly<Record<Exclude<IntentState, 'pending'>, string>> = {
  approved: 'Approved, in progress',
  executed: 'Done',
  rejected: 'Rejected',
  expired: 'Expired',
  failed: 'Approved, but failed',
}

/** The page of an intent that is no longer pending. */
function outcomePage(frame: ReviewFrame): string {
  const { intent, rights } = frame.entry
  const title = intent.state === 'pending' ? '' : TITLES[intent.state]
  const content = [
    html`<p>${intent.shown.question}</p>`,
    statusText(frame),
    // The figures are for managers of the syndicate and for the person who decided.
    proposalFacts(frame, rights.informed ? intent.shown : { facts: [] }),
  ]
  return framed(frame, { title: `${title}: ${intent.shown.question}`, question: title, content })
}

function statusText({ entry: { intent, nowMs, asker, trail } }: ReviewFrame): HtmlValue {
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

/** Without a recorded reason the intent's time is over: it counts as expired even before a worker has recorded that. */
function whyOf(trail: readonly TrailStep[]): string {
  const why = trail.findLast(({ action }) => action === 'intent.expired')?.why ?? 'time'
  return WHY[why] ?? why
}

type Deciding = ReviewVisit & {
  readonly entry: ReviewEntry
  readonly body: { readonly decision: 'approve' | 'reject'; readonly shown?: string; readonly reason?: string }
}

async function decideReview(deps: ReviewDeps, deciding: Deciding) {
  return deciding.body.decision === 'approve' ? approve(deps, deciding) : reject(deps, deciding)
}

/** Redirects to the page, which shows the result; reloading it decides nothing. */
function back(entry: ReviewEntry) {
  return away(reviewPath(entry.intent.id))
}

async function reject(deps: ReviewDeps, deciding: Deciding) {
  const { entry, body, requestId } = deciding
  const reason = (body.reason ?? '').replaceAll('\r\n', '\n').trim()
  const problem = problemOf(reason)
  if (problem !== null && entry.look !== null) {
    return {
      status: 422 as const,
      body: rejectionForm({ ...frameOf(deps, deciding, entry.world), entry }, { text: reason, problem }),
    }
  }
  const by = { id: entry.intent.id, by: entry.userId, requestId }
  const given = reason === '' || problem !== null ? null : reason
  await deps.databases[entry.world].transaction((tx) => rejectIntent(tx, { ...by, reason: given }))
  return back(entry)
}

const READABLE = new RegExp(SEEN_PARAGRAPHS_PATTERN, 'u')

/** The app's team reads the reason, so it must be readable text and not longer than the field allows. */
function problemOf(reason: string): string | null {
  if (reason.length > REASON_CHARS_MAX) return 'is too long: 2,000 characters at most'
  return reason === '' || READABLE.test(reason) ? null : 'holds characters that cannot be shown'
}

async function approve(deps: ReviewDeps, deciding: Deciding) {
  const { entry, body } = deciding
  const shown = readShown(body.shown ?? '')
  const outcome = await approveAsShown(deps, deciding, shown)
  if (outcome === 'unproven') return confirmFirst(reviewPath(entry.intent.id))
  if (outcome === 'changed') return askAgain(deps, deciding, shown)
  if (outcome === 'approved') await carryOutNow(deps, entry)
  return back(entry)
}

/** The browser sends the same form to the confirmation page and then here again, so the person approves what was shown. */
function confirmFirst(path: string) {
  return { status: 307 as const, body: null, headers: { Location: keepFormAddress(path, path) } }
}

async function approveAsShown(deps: ReviewDeps, deciding: Deciding, shown: Shown | null): Promise<Approval> {
  const { entry, requestId } = deciding
  const { sessionHash: session } = deciding.caller
  const approval = { id: entry.intent.id, by: entry.userId, requestId, shown, session, stepUp: deps.stepUp }
  try {
    return await deps.databases[entry.world].transaction((tx) => approveIntent(tx, approval, deps.around))
  } catch (error) {
    // The subject of the action no longer exists or is in another state. The page that follows calls `look`, which reports the reason.
    const impossible = error instanceof ApiError && (error.type === 'validation_error' || error.type === 'not_found')
    if (impossible) return 'changed'
    throw error
  }
}

/** "If anything changed since the page was opened, the page says what, and asks again." */
async function askAgain(deps: ReviewDeps, deciding: Deciding, before: Shown | null) {
  const guarded = await guardReviewPage(deps, deciding)
  const entry = 'entry' in guarded ? guarded.entry : deciding.entry
  const { look } = entry
  if (look === null) return back(entry)
  const frame = { ...frameOf(deps, deciding, entry.world), entry }
  if ('refusal' in look) return { status: 409 as const, body: impossiblePage(frame, look.refusal) }
  const changes = before === null ? [] : changesSince(before, look.shown)
  const statusText = changes.length > 0 ? changes : ['Please look at this page again before you decide.']
  return { status: 409 as const, body: reviewPage(frame, { shown: look.shown, changes: statusText }) }
}

/** After an internal error the intent stays approved, and the workers try again. */
async function carryOutNow({ databases, around, log }: ReviewDeps, { world, intent }: ReviewEntry): Promise<void> {
  try {
    await carryOut(databases[world], intent.id, around)
  } catch (error) {
    log.error({ err: error, intent: intent.id }, 'an approved intent could not be carried out; it will be tried again')
  }
}
