import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { findInstallations } from '#access/installations/index.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { ApiError, type FieldError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { appHead, card } from '#pages/blocks.ts'
import { errorSummary, signedInAs } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { type Person, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { formTargets } from '#pages/return-place.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isStillThere } from './offering-access-store.ts'

/** A page, or where to go instead. */
export type Answer =
  | {
      readonly status: 200 | 403 | 404 | 409 | 422
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly status: 303; readonly body: null; readonly headers: { readonly Location: string } }

export function away(location: string): Answer {
  return { status: 303, body: null, headers: { Location: location } }
}

/** What all pages of one visit have in common. */
export type Frame = {
  readonly brand: ShownBrand
  readonly world: World | null
  readonly csrf: string
  readonly person: Person | null
  /** The page's own address; signing in as another account returns here. */
  readonly address: string
  readonly requestId: string
}

type Framed = {
  readonly status?: 200 | 409 | 422
  readonly title: string
  readonly requestingApp: RequestingApp | null
  /** Above everything: what went wrong. */
  readonly first?: HtmlValue
  readonly content: HtmlValue
  /** Where the page's form may lead to in the end, beyond us. */
  readonly leadsTo?: string | null
}

/** The app, the content, and the signed-in account. */
export function framed(
  frame: Frame,
  { status = 200, title, requestingApp, first, content, leadsTo = null }: Framed,
): Answer {
  const { brand, world, csrf, person, address } = frame
  const main = card(
    first,
    whoAsks(requestingApp, brand),
    content,
    person !== null && signedInAs({ person, csrf, returnTo: address }),
  )
  const body = page({ title, main, brand, world })
  if (leadsTo === null) return { status, body }
  const policy = pagePolicy({ formAction: formTargets(leadsTo) })
  return { status, body, headers: { 'Content-Security-Policy': policy } }
}

function whoAsks(requestingApp: RequestingApp | null, brand: ShownBrand): HtmlValue {
  if (requestingApp === null) return appHead({ name: brandName(brand), lines: ['sent you here'] })
  const { app, on } = requestingApp
  const lines = [html`by <bdi>${app.organization.name}</bdi>, for <bdi>${on}</bdi>`]
  return appHead({ name: app.name, logoUrl: app.logoUrl, lines })
}

type Refusal = { readonly status: 403 | 404; readonly title: string; readonly message: string; readonly hint: string }

/** Nothing of what the link is about is on these pages. */
export function refusal(frame: Frame, { status, title, message, hint }: Refusal): Answer {
  const { brand, world, csrf, person, address, requestId } = frame
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${hint}</p>`,
    person !== null && signedInAs({ person, csrf, returnTo: address }),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, main, brand, world }) }
}

export const UNKNOWN_LINK: Refusal = {
  status: 404,
  title: 'This link leads nowhere',
  message: 'It is not complete, or it was never one of ours.',
  hint: 'Open it again from the message it came with, all of it. If that does not help, ask the sender for a new one.',
}

/** The company took the app away, or the platform did: what it sent out before leads no further. */
export const OUT_OF_SERVICE: Refusal = {
  status: 403,
  title: 'This link no longer works',
  message: 'The sender does not act for this offering any more.',
  hint: 'If you expected something else, ask the company itself.',
}

export const SOMEBODY_ELSES: Refusal = {
  status: 403,
  title: 'This link is for another person',
  message: 'It was made for one person, and the account you are signed in with is not theirs. Nothing was done.',
  hint: 'If you have another account, sign in with that one. If the link was passed on to you, ask its sender for one of your own.',
}

/** Field errors for the person, with what they typed. */
export type Wrong = { readonly problems: readonly FieldError[]; readonly status: 422; readonly typed?: string }

/** Null for errors that the person cannot correct. */
export function wrongOf(error: unknown, typed: string | undefined): Wrong | null {
  if (!(error instanceof ApiError)) return null
  const { type, details } = error
  const kept = typed === undefined ? {} : { typed }
  if (type !== 'validation_error') return null
  return { problems: (details?.['fields'] ?? []) as readonly FieldError[], status: 422, ...kept }
}

/** The state changed meanwhile, by a second submit or another decision; the page shows the current state. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'illegal_transition'
}

export function wrongSummary(wrong: Wrong | undefined): HtmlValue {
  const said = wrong?.problems.map(({ field, message }) =>
    field === 'amount' ? { field, message: `The amount ${message}.` } : { message },
  )
  return errorSummary(said ?? [])
}

/** Beside the field itself. */
export function wrongAmount(wrong: Wrong | undefined): { readonly value?: string; readonly error: string | undefined } {
  const message = wrong?.problems.find(({ field }) => field === 'amount')?.message
  const error = message === undefined ? undefined : `The amount ${message}.`
  return { error, ...(wrong?.typed === undefined ? {} : { value: wrong.typed }) }
}

/** The app that sent the person, and the company or syndicate it is installed on. Null: the platform itself. */
export type RequestingApp = {
  readonly app: AppDescription
  readonly on: string
  /**
   * False once the app was removed there, suspended or disabled, or the syndicate no longer runs the offering: the person it
   * sends then is sent by nobody.
   */
  readonly stands: boolean
}

type Sent = { readonly installation: Id<'installation'> | null; readonly offering: Id<'offering'> }

export async function findRequestingApp(
  queries: WorldQueries,
  { installation, offering }: Sent,
): Promise<RequestingApp | null> {
  const [found] = installation === null ? [] : await findInstallations(queries, [installation])
  if (found === undefined) return null
  const [app, there] = await Promise.all([describeApp(queries, found.appId), isStillThere(queries, found.id, offering)])
  return app === null ? null : { app, on: found.target.name ?? '', stands: there && app.state === 'active' }
}
