import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { card } from '#http/pages/blocks.ts'
import { signedInAs } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { IntentParam, reviewPath } from '../schemas.ts'
import { arrive } from './arrive.ts'
import { decideReview } from './decide-review.ts'
import { type Frame, frameOf, type Met, type ReviewDeps } from './frame.ts'

export type { ReviewDeps }

import { outcomePage } from './outcome-page.ts'
import { impossiblePage, reviewPage } from './review-page.ts'

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

/** Where people decide, and the only place where anything is approved: a form of our own, in their own browser. */
export const reviewRoutes = (deps: ReviewDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showIntentReview',
    method: 'GET',
    documented: true,
    summary: 'Show an intent for review',
    description: 'The page on which a person approves or rejects what an app proposed.',
    schema: { params: IntentParam, response: { 200: Page, 403: Page } },
    handler: async ({ caller, browser, params, requestId }) => {
      const { intent_id: id } = params
      const arrival = await arrive(deps, caller, id)
      if ('stranger' in arrival) return strangerPage(deps, { caller, browser, id, requestId, world: arrival.stranger })
      const { arrived } = arrival
      return { status: 200, body: shownPage(frameOf(deps, { arrived, caller, browser })) }
    },
  }),
  route({
    ...COMMON,
    operation: 'decideIntentReview',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { params: IntentParam, body: Decision, response: { 303: Type.Null(), 403: Page, 409: Page, 422: Page } },
    // Which world it is in is known once the intent is found, so the transaction is opened there.
    handler: async ({ caller, browser, params, body, requestId }) => {
      const { intent_id: id } = params
      const arrival = await arrive(deps, caller, id)
      if ('stranger' in arrival) return strangerPage(deps, { caller, browser, id, requestId, world: arrival.stranger })
      return decideReview(deps, { arrived: arrival.arrived, caller, browser, body, requestId })
    },
  }),
]

function shownPage(frame: Frame): string {
  const { look } = frame.arrived
  if (look === null) return outcomePage(frame)
  return 'shown' in look ? reviewPage(frame, look) : impossiblePage(frame, look.refusal)
}

type Stranger = Omit<Met, 'arrived'> & {
  readonly id: Id<'intent'>
  readonly requestId: string
  readonly world: World
}

/** Nothing of what it is about: that it exists is all that the link has told already. */
function strangerPage({ brand }: ReviewDeps, { caller, browser, id, requestId, world }: Stranger) {
  const title = 'This is not yours to decide'
  const main = card(
    html`<h1>${title}</h1>
<p>An app proposed something that only others can see and decide: those who run the syndicate with full access, or the person it was proposed for.</p>
<p>If you have another account, sign in with that one.</p>`,
    signedInAs({ person: caller, csrf: browser.csrf, returnTo: reviewPath(id) }),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status: 403 as const, body: page({ title, main, brand, world }) }
}
