import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { CONFIRM_PATH, SEALED_FORM_FIELD, SEALED_FORM_PATH } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { actions, button, form, hidden, linkButton } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type CodeDeps, withCode } from '../factors/codes.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { type FactorsInForce, findFactors, notePasskeyUse } from '../factors/store.ts'
import type { PasswordHasher } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { type ProofMistake, proofPage, type SealedForm, WRONG_CODE, WRONG_PASSKEY } from '../sign-in/proof-page.ts'
import { carriedReturnTo, formTargetsAfter, localReturnTo } from '../sign-in/return-to.ts'
import { type PasswordRefusal, verifyPassword } from '../sign-in/sign-in.ts'
import { mistakeOf } from '../sign-in/sign-in-page.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { proveSession } from '../sign-in/store.ts'
import { forgetAttempts } from '../sign-in/throttle.ts'

export type ConfirmDeps = CodeDeps & {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly hasher: PasswordHasher
  readonly deviceCookies: DeviceCookies
  readonly passkeys: Passkeys
}

const AFTER = '/settings/security'
const Page = Type.String()
const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const

const ConfirmForm = Type.Object({
  password: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  credential: Type.Optional(Type.String()),
  ticket: Type.Optional(Type.String()),
  return_to: Type.Optional(Type.String()),
  for: Type.Optional(Type.String()),
  [SEALED_FORM_FIELD]: Type.Optional(Type.String()),
})

type Form = {
  readonly password?: string
  readonly code?: string
  readonly credential?: string
  readonly ticket?: string
}
type Refusal = Exclude<PasswordRefusal, { kind: 'disabled' }>
type Outcome = { readonly kind: 'proven' } | (Refusal & { readonly way: 'password' | 'code' | 'passkey' })

type Visit = {
  readonly caller: AccountCaller
  readonly browser: Browser
  readonly header: (name: string) => string | undefined
  readonly address: string
}

/** The page on which a signed-in person proves their identity again (`recentlyProven`) with the password, a code or a passkey. */
export function confirmRoutes(deps: ConfirmDeps): Route[] {
  const { platform, brand, passkeys } = deps

  const show = async (
    { caller, browser }: Visit,
    { returnTo, sealedForm }: Onward,
    mistakes: readonly ProofMistake[] = [],
  ) => {
    const factors = await findFactors(platform.reads, caller.accountId)
    const usable = factors.passkeys > 0 && passkeys.unavailable() === null
    const passkey = usable ? await passkeys.offerAssertion('confirm', caller.accountId, browser.csrf) : null
    const asksPassword = deps.settings.passwords && factors.has_password
    const ways = { asksPassword, asksCode: factors.totp ? ('app' as const) : null, passkey }
    const body = proofPage({
      title: 'Confirm that it is you',
      lead: html`You are signed in to ${brandName(brand)} as <strong><bdi>${caller.email}</bdi></strong>. What you are about to do needs a fresh confirmation.${sealedForm !== null && ' The form that you sent is carried out right after the confirmation.'}`,
      action: CONFIRM_PATH,
      brand,
      csrf: browser.csrf,
      returnTo,
      sealedForm,
      mistakes,
      ...ways,
      instead: [
        otherWays(deps, {
          factors,
          returnTo,
          sealedForm,
          csrf: browser.csrf,
          hasWay: asksPassword || factors.totp || usable,
        }),
        html`<p><a href="${cancelTo(returnTo)}">Cancel</a></p>`,
      ],
    })
    const policy = pagePolicy({ formAction: formTargetsAfter(returnTo), scripts: passkey !== null })
    return { body, headers: { 'Content-Security-Policy': policy } }
  }

  return [
    route({
      ...COMMON,
      operation: 'showConfirm',
      method: 'GET',
      path: CONFIRM_PATH,
      summary: 'Show the confirmation page',
      description: 'Shows the page on which a signed-in person proves again who they are.',
      schema: { query: Type.Object({ return_to: Type.Optional(Type.String()) }), response: { 200: Page } },
      handler: async ({ query, ...visit }) => ({
        status: 200,
        ...(await show(visit, { returnTo: carriedReturnTo(query.return_to, AFTER), sealedForm: null })),
      }),
    }),
    route({
      ...COMMON,
      operation: 'keepForm',
      method: 'POST',
      path: SEALED_FORM_PATH,
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Keep a form until confirmed',
      description:
        'Shows the confirmation page for a form that was sent without a recent proof. After the confirmation the form is carried out.',
      schema: {
        query: Type.Object({ for: Type.Optional(Type.String()), return_to: Type.Optional(Type.String()) }),
        body: Type.Record(Type.String(), Type.Unknown()),
        response: { 200: Page },
      },
      handler: async ({ query, body, ...visit }) => {
        const path = localReturnTo(query.for, '')
        const sealed = path === '' ? null : visit.browser.keepForm(path, body)
        const sealedForm = sealed === null ? null : { path, sealed }
        return {
          status: 200,
          ...(await show(visit, { returnTo: carriedReturnTo(query.return_to, AFTER), sealedForm })),
        }
      },
    }),
    route({
      ...COMMON,
      operation: 'confirm',
      method: 'POST',
      path: CONFIRM_PATH,
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Confirm who you are',
      description: 'Verifies a password, a code or a passkey of the signed-in person.',
      schema: { body: ConfirmForm, response: { 303: Type.Null(), 307: Type.Null(), 422: Page, 429: Page } },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ body, ...visit }) => {
        const returnTo = carriedReturnTo(body.return_to, AFTER)
        const sealedForm = sealedFormOf(body, visit.browser)
        const outcome = await prove(deps, visit, body)
        if (outcome.kind === 'proven') {
          // With 307 the browser sends these fields on to the sealed form's path, where the edge unseals the form.
          if (sealedForm !== null) return { status: 307, body: null, headers: { Location: sealedForm.path } }
          return { status: 303, body: null, headers: { Location: returnTo } }
        }
        const page = await show(visit, { returnTo, sealedForm }, [mistakeFor(outcome)])
        const wait = outcome.kind === 'too_many' ? { 'Retry-After': String(outcome.retryAfterSeconds) } : {}
        const status = outcome.kind === 'too_many' ? 429 : 422
        return { status, body: page.body, headers: { ...page.headers, ...wait } }
      },
    }),
  ]
}

type Onward = { readonly returnTo: string; readonly sealedForm: SealedForm | null }
type Sent = { readonly for?: string; readonly [SEALED_FORM_FIELD]?: string }

/** The sealed form. Null if there is none, if it was sealed for another browser, and after ten minutes. */
function sealedFormOf({ for: wanted, [SEALED_FORM_FIELD]: sealed }: Sent, browser: Browser): SealedForm | null {
  const path = localReturnTo(wanted, '')
  return sealed !== undefined && path !== '' && browser.keepsForm(path, sealed) ? { path, sealed } : null
}

/** Pages that need the proof themselves. A cancel link to one of them would lead back here. */
const ASKS_FOR_PROOF = /^\/settings\/(?:email|security\/|data\/delete)/

const cancelTo = (returnTo: string) => (ASKS_FOR_PROOF.test(returnTo) ? '/settings' : returnTo)

const PROVEN: Outcome = { kind: 'proven' }

async function prove(deps: ConfirmDeps, visit: Visit, form: Form): Promise<Outcome> {
  const { caller, address } = visit
  const doneBy =
    (way: 'password' | 'factor') =>
    async (tx: PlatformTx): Promise<Outcome> => {
      await proveSession(tx, caller.sessionHash, way === 'factor')
      return PROVEN
    }
  if ((form.credential ?? '') !== '') return provePasskey(deps, visit, form, doneBy('factor'))
  if (form.code !== undefined) {
    const attempt = { account: caller.accountId, code: form.code, address }
    const outcome = await withCode<Outcome>(deps, attempt, doneBy('factor'))
    return outcome.kind === 'proven' ? outcome : { ...outcome, way: 'code' }
  }
  return provePassword(deps, visit, form.password ?? '', doneBy('password'))
}

type Done = (tx: PlatformTx) => Promise<Outcome>

async function provePassword(deps: ConfirmDeps, visit: Visit, password: string, done: Done): Promise<Outcome> {
  const { caller, address, header } = visit
  if (!deps.settings.passwords) return { kind: 'wrong', way: 'password' }
  const devices = deps.deviceCookies.read(header('cookie'))
  const verified = await verifyPassword(deps, { email: caller.email, password, address, devices })
  if ('kind' in verified) return { ...verified, way: 'password' }
  if (verified.account.id !== caller.accountId) return { kind: 'wrong', way: 'password' }
  return deps.platform.transaction(async (tx) => {
    await forgetAttempts(tx, verified.counted)
    return done(tx)
  })
}

async function provePasskey(deps: ConfirmDeps, visit: Visit, form: Form, done: Done): Promise<Outcome> {
  const { caller, browser } = visit
  const { ticket, credential } = form
  const result = { purpose: 'confirm', account: caller.accountId, csrf: browser.csrf, ticket, credential } as const
  const verified = await deps.passkeys.verifyAssertion(result)
  if (verified === null) return { kind: 'wrong', way: 'passkey' }
  const { passkey, counter, backedUp } = verified
  return deps.platform.transaction(async (tx) => {
    const isNoted = await notePasskeyUse(tx, { id: passkey.id, counter, backedUp })
    return isNoted ? done(tx) : { kind: 'wrong', way: 'passkey' }
  })
}

function mistakeFor(outcome: Exclude<Outcome, { kind: 'proven' }>): ProofMistake {
  if (outcome.kind === 'too_many') return { message: mistakeOf(outcome).message }
  if (outcome.way === 'password')
    return { field: 'password', message: 'This password is wrong. Check it and try again.' }
  return outcome.way === 'code' ? WRONG_CODE : WRONG_PASSKEY
}

type Other = {
  readonly factors: FactorsInForce
  readonly returnTo: string
  readonly sealedForm: SealedForm | null
  readonly csrf: string
  readonly hasWay: boolean
}

/**
 * Signing in again is a proof too. An account that is linked to the provider signs in there. Other accounts sign out first, which is
 * offered only if there is no other way.
 */
function otherWays({ settings: { openid } }: ConfirmDeps, other: Other): HtmlValue {
  const { factors, returnTo, sealedForm, csrf, hasWay } = other
  const notKept =
    sealedForm !== null && html`<p class="hint">This way leads back to the form, which you then fill in again.</p>`
  if (openid !== null && factors.issuers > 0) {
    const href = `/sign-in/openid?${new URLSearchParams({ return_to: returnTo, again: 'yes' })}`
    return [notKept, actions(linkButton(`Continue with ${openid.name}`, href, hasWay ? 'secondary' : 'primary'))]
  }
  if (hasWay) return undefined
  const again = [hidden('return_to', returnTo), actions(button({ label: 'Sign out and sign in again' }))]
  return [
    html`<p>This account has neither a password nor a passkey that works here, so you confirm by signing in again.</p>`,
    notKept,
    form({ action: '/sign-out', csrf, content: again }),
  ]
}
