import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { html } from '#pages/html.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type CodeDeps, withCode } from '../factors/codes.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { asksSecondStep, type FactorsInForce, findFactors, notePasskeyUse, useTicket } from '../factors/store.ts'
import {
  completeSignIn,
  SECOND_STEP_PATH,
  SECOND_STEP_SECONDS,
  type SecondStep,
  type SignedIn,
  type SignInResponses,
  type SigningIn,
} from './complete-sign-in.ts'
import { type ProofMistake, proofPage, WRONG_CODE, WRONG_PASSKEY } from './proof-page.ts'
import { carriedReturnTo, formTargetsAfter } from './return-to.ts'
import { mistakeOf } from './sign-in-page.ts'
import type { DeviceCookies } from './sign-ins.ts'

export type SecondStepDeps = CodeDeps & {
  readonly brand: ShownBrand
  readonly signInResponses: SignInResponses
  readonly deviceCookies: DeviceCookies
  readonly passkeys: Passkeys
}

const Page = Type.String()
const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  path: SECOND_STEP_PATH,
  access: visitor('A person between the two steps has not signed in yet.'),
} as const

const StepBody = Type.Object({
  code: Type.Optional(Type.String()),
  credential: Type.Optional(Type.String()),
  ticket: Type.Optional(Type.String()),
  return_to: Type.Optional(Type.String()),
})

type Refused =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }
type Outcome = SignedIn | { readonly kind: 'expired' } | Refused

/** The second step of a sign-in. Until the person has passed it they are not signed in: the browser has a sealed ticket and no session. */
export function secondStepRoutes(deps: SecondStepDeps): Route[] {
  const { platform, brand, signInResponses, deviceCookies, passkeys } = deps

  /**
   * The ticket that this browser got for its first step. Null if the ticket has expired, or if the password was changed or the last
   * factor removed since the first step.
   */
  const findStep = async (cookies: string | undefined, browser: Browser) => {
    const step = signInResponses.readTicket(cookies, browser)
    const factors = step && (await findFactors(platform.reads, step.account))
    if (step === null || factors === null || !isInForce(step, factors)) return null
    return { step, factors }
  }

  type Shown = { readonly step: SecondStep; readonly factors: FactorsInForce; readonly browser: Browser }
  const show = async ({ step, factors, browser }: Shown, returnTo: string, mistakes: readonly ProofMistake[] = []) => {
    const usable = factors.passkeys > 0 && passkeys.unavailable() === null
    const passkey = usable ? await passkeys.offerAssertion('second_step', step.account, browser.csrf) : null
    const body = proofPage({
      title: factors.totp ? 'Enter your code' : 'Use your passkey',
      lead: factors.totp
        ? 'The first step is done. Now enter the code that your authenticator app shows.'
        : 'The first step is done. Now use a passkey of this account, or a recovery code.',
      action: SECOND_STEP_PATH,
      brand,
      csrf: browser.csrf,
      returnTo,
      mistakes,
      asksCode: factors.totp ? 'app' : 'recovery',
      passkey,
      instead: [LOST, html`<p><a href="${signInAddress(returnTo)}">Sign in with another account</a></p>`],
    })
    const policy = pagePolicy({ formAction: formTargetsAfter(returnTo), scripts: passkey !== null })
    return { body, headers: { 'Content-Security-Policy': policy } }
  }

  return [
    route({
      ...COMMON,
      operation: 'showSecondStep',
      method: 'GET',
      summary: 'Show the second sign-in step',
      description: 'Shows the page that asks for a code or a passkey after the first sign-in step.',
      schema: {
        query: Type.Object({ return_to: Type.Optional(Type.String()) }),
        response: { 200: Page, 303: Type.Null() },
      },
      handler: async ({ browser, query, header }) => {
        const returnTo = carriedReturnTo(query.return_to)
        const found = await findStep(header('cookie'), browser)
        if (found === null) return startAgain(returnTo)
        return { status: 200, ...(await show({ ...found, browser }, returnTo)) }
      },
    }),
    route({
      ...COMMON,
      operation: 'finishSecondStep',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Sign in with a factor',
      description: 'Verifies a code or a passkey and signs the person in.',
      schema: { body: StepBody, response: { 303: Type.Null(), 403: Page, 422: Page, 429: Page } },
      handler: async ({ browser, body, address, header }) => {
        const returnTo = carriedReturnTo(body.return_to)
        const found = await findStep(header('cookie'), browser)
        if (found === null) return startAgain(returnTo)
        const { step } = found
        const from = { cookieBefore: browser.cookieValue, devices: deviceCookies.read(header('cookie')) }
        const signingIn = { account: step.account, ...from, userAgent: header('user-agent') }
        const outcome = await takeStep(deps, { step, signingIn, csrf: browser.csrf, address, body })
        if (outcome.kind === 'signed_in') {
          return { status: 303, body: null, headers: signInResponses.headers(outcome, browser, returnTo) }
        }
        if (outcome.kind === 'expired') return startAgain(returnTo)
        const page = await show({ ...found, browser }, returnTo, [mistakeFor(outcome, body)])
        const wait = outcome.kind === 'too_many' ? { 'Retry-After': String(outcome.retryAfterSeconds) } : {}
        return { status: STATUS[outcome.kind], body: page.body, headers: { ...page.headers, ...wait } }
      },
    }),
  ]
}

const STATUS = { wrong: 422, disabled: 403, too_many: 429 } as const

const LOST = html`<p class="muted">If you have lost your phone and your recovery codes, ask the people who run this service to reset your factors.</p>`

function isInForce(step: SecondStep, factors: FactorsInForce): boolean {
  return asksSecondStep(factors) && factors.password_digest === step.password
}

function startAgain(returnTo: string) {
  return { status: 303 as const, body: null, headers: { Location: signInAddress(returnTo) } }
}

type StepForm = { readonly code?: string; readonly credential?: string; readonly ticket?: string }
type Taking = {
  readonly step: SecondStep
  readonly signingIn: SigningIn
  readonly csrf: string
  readonly address: string
  readonly body: StepForm
}

const usesPasskey = ({ credential = '' }: StepForm) => credential !== ''

async function takeStep(deps: SecondStepDeps, { step, signingIn, csrf, address, body }: Taking): Promise<Outcome> {
  const { account } = step
  const finish = async (tx: PlatformTx): Promise<Outcome> => {
    const isFirst = await useTicket(tx, digestOf(step.nonce), SECOND_STEP_SECONDS)
    if (!isFirst || !isInForce(step, await findFactors(tx, account))) return { kind: 'expired' }
    return (await completeSignIn(tx, deps, { ...signingIn, withFactor: true })) ?? { kind: 'disabled' }
  }
  if (!usesPasskey(body)) return withCode<Outcome>(deps, { account, code: body.code ?? '', address }, finish)
  const { credential, ticket } = body
  const verified = await deps.passkeys.verifyAssertion({ purpose: 'second_step', account, csrf, ticket, credential })
  if (verified === null) return { kind: 'wrong' }
  const { passkey, counter, backedUp } = verified
  return deps.platform.transaction(async (tx) =>
    (await notePasskeyUse(tx, { id: passkey.id, counter, backedUp })) ? finish(tx) : { kind: 'wrong' },
  )
}

function mistakeFor(outcome: Refused, body: StepForm): ProofMistake {
  if (outcome.kind === 'wrong') return usesPasskey(body) ? WRONG_PASSKEY : WRONG_CODE
  return { message: mistakeOf(outcome).message }
}
