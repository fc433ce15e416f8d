import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { findInstallations } from '#access/installations/index.ts'
import { ApiError, type FieldError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { appHead } from '#pages/blocks.ts'
import { errorSummary } from '#pages/elements.ts'
import { type Frame, framedPage, introduceApp, type PageResponse, type Refusal } from '#pages/hosted-page.ts'
import type { HtmlValue } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isStillInstalled } from '../investment-api/store.ts'

export type CheckoutResponse = PageResponse<200 | 403 | 404 | 409 | 422>

type Framed = {
  readonly status?: 200 | 409 | 422
  readonly title: string
  readonly requestingApp: RequestingApp | null
  /** Shown first: what went wrong, or what the person has done before. */
  readonly first?: HtmlValue
  /** The heading of a page on which something is decided. */
  readonly question?: HtmlValue
  /** Shown below the heading, before the app: the amount and the risk. */
  readonly lead?: HtmlValue
  readonly content: HtmlValue
  /** The other site to which the page's form may redirect. */
  readonly leadsTo?: string | null
}

/** The app, the content, and the signed-in account. */
export function framed(
  frame: Frame,
  { status = 200, title, requestingApp, first, question = title, lead, content, leadsTo = null }: Framed,
): CheckoutResponse {
  const above = [lead, requestedBy(requestingApp, frame.brand), content]
  return framedPage(frame, { status, title, first, question, above, leadsTo })
}

function requestedBy(requestingApp: RequestingApp | null, brand: ShownBrand): HtmlValue {
  if (requestingApp === null) return appHead({ name: brandName(brand), lines: ['sent you here'], heading: null })
  return introduceApp(requestingApp.app, { on: requestingApp.on })
}

export const UNKNOWN_LINK: Refusal<403 | 404> = {
  status: 404,
  title: 'This link does not work',
  message: 'A part of the link is missing, or this site did not create it.',
  remediation: 'Copy the whole link from the message. If it still does not work, ask the sender for a new one.',
}

/** For links of an app that no longer has the right to send people here: see `inService` below. */
export const OUT_OF_SERVICE: Refusal<403 | 404> = {
  status: 403,
  title: 'This link no longer works',
  message: 'The app that sent it may no longer invite people to this offering.',
  remediation: 'If you have a question about the offering, ask the company.',
}

export const OTHER_PERSONS_LINK: Refusal<403 | 404> = {
  status: 403,
  title: 'This link is for another person',
  message: 'It was made for one person, and you are signed in to the account of another person. Nothing was done.',
  remediation:
    'If you have another account, sign in with that one. If another person passed the link on to you, ask its sender for your own link.',
}

/** Field errors for the person, with what they typed. */
export type Wrong = { readonly problems: readonly FieldError[]; readonly status: 422; readonly typed?: string }

/** Null for errors that the person cannot correct. */
export function wrongOf(error: unknown, typed: string | undefined): Wrong | null {
  if (!(error instanceof ApiError)) return null
  const { type, details } = error
  const fields = typed === undefined ? {} : { typed }
  if (type !== 'validation_error') return null
  return { problems: (details?.['fields'] ?? []) as readonly FieldError[], status: 422, ...fields }
}

/** The state changed meanwhile, by a second submit or another decision; the page shows the current state. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'illegal_transition'
}

export function wrongSummary(wrong: Wrong | undefined): HtmlValue {
  const messages = wrong?.problems.map(({ field, message }) =>
    field === 'amount' ? { field, message: `The amount ${message}.` } : { message },
  )
  return errorSummary(messages ?? [])
}

/** For the amount field: what the person typed, and the error to show beside it. */
export function wrongAmount(wrong: Wrong | undefined): { readonly value?: string; readonly error: string | undefined } {
  const message = wrong?.problems.find(({ field }) => field === 'amount')?.message
  const error = message === undefined ? undefined : `The amount ${message}.`
  return { error, ...(wrong?.typed === undefined ? {} : { value: wrong.typed }) }
}

/** The app that sent the person, and the company or syndicate on which it is installed. Null if the platform itself sent the person. */
export type RequestingApp = {
  readonly app: AppDescription
  readonly on: string
  /**
   * False if the app was suspended, disabled or removed from that company or syndicate, or if the syndicate no longer runs the
   * offering. Such an app has no right to send people here.
   */
  readonly inService: boolean
}

type Sent = { readonly installation: Id<'installation'> | null; readonly offering: Id<'offering'> }

export async function findRequestingApp(
  queries: WorldQueries,
  { installation, offering }: Sent,
): Promise<RequestingApp | null> {
  const [found] = installation === null ? [] : await findInstallations(queries, [installation])
  if (found === undefined) return null
  const [app, installed] = await Promise.all([
    describeApp(queries, found.appId),
    isStillInstalled(queries, found.id, offering),
  ])
  return app === null ? null : { app, on: found.target.name ?? '', inService: installed && app.state === 'active' }
}
