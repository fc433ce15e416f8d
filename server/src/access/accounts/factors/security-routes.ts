import { Type } from 'typebox'
import { recentlyProven, signedIn } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { deleteOtherSessions } from '../own-account/store.ts'
import { deleteSessionById, listSessions } from '../sign-in/store.ts'
import { lockAccount } from '../store.ts'
import { addTotp, removeTotp, renewRecoveryCodes } from './change-factors.ts'
import { codeAsTyped, enrolmentAddress, newTotpSecret, stepOfCode } from './codes.ts'
import { passkeyScriptRoute } from './passkey-form.ts'
import { passkeyRoutes, redirectToSecurity, rowId, SECURITY_COMMON, type SecurityDeps } from './passkey-routes.ts'
import { confirmChangePage, recoveryCodesPage, SECURITY_PATH, securityPage, setUpPage } from './security-page.ts'
import { findFactors, listPasskeys } from './store.ts'
import { tickets } from './tickets.ts'

const Page = Type.String()
const NoBody = Type.Null()
const FORM = ['application/x-www-form-urlencoded'] as const
const SessionParam = Type.Object({ session_id: Type.String() })
type Visit = { readonly caller: AccountCaller; readonly browser: Browser }

/** The “Security” tab of the settings: factors, passkeys, sessions. A change of how a person signs in needs a recent proof. */
export function securityRoutes(deps: SecurityDeps): Route[] {
  const { platform, clock, brand } = deps
  const frame = ({ caller, browser }: Visit) => ({ brand, person: caller, csrf: browser.csrf })
  return [
    passkeyScriptRoute(),
    route({
      ...SECURITY_COMMON,
      access: signedIn(),
      operation: 'showSecurity',
      method: 'GET',
      path: SECURITY_PATH,
      summary: 'Show the security settings',
      description: 'Shows the page with a person’s factors, passkeys and sessions.',
      schema: { query: Type.Object({ done: Type.Optional(Type.String()) }), response: { 200: Page } },
      handler: async ({ query, ...visit }) => {
        const { accountId, sessionHash } = visit.caller
        const [factors, passkeys, sessions] = await Promise.all([
          findFactors(platform.reads, accountId),
          listPasskeys(platform.reads, accountId),
          listSessions(platform.reads, accountId, sessionHash),
        ])
        const unavailable = deps.passkeys.unavailable()
        const shown = { factors, passkeys, unavailable, sessions, nowMs: clock.now(), done: query.done }
        const offersPasswords = deps.settings.passwords
        return { status: 200, body: securityPage({ ...frame(visit), ...shown, offersPasswords }) }
      },
    }),
    ...authenticatorRoutes(deps, frame),
    ...passkeyRoutes(deps),
    route({
      ...SECURITY_COMMON,
      access: signedIn(),
      operation: 'endSession',
      method: 'POST',
      path: `${SECURITY_PATH}/sessions/:session_id/end`,
      accepts: FORM,
      summary: 'End a sign-in session',
      description: 'Signs the person out of one of their browsers, or ends one of their command lines.',
      schema: { params: SessionParam, response: { 303: NoBody } },
      platform: async ({ ptx, caller, params }) => {
        const isEnded = await deleteSessionById(ptx, caller.accountId, rowId(params.session_id))
        return redirectToSecurity(isEnded ? 'session_ended' : undefined)
      },
    }),
    route({
      ...SECURITY_COMMON,
      access: signedIn(),
      operation: 'endOtherSessions',
      method: 'POST',
      path: `${SECURITY_PATH}/sessions/end-others`,
      accepts: FORM,
      summary: 'End other sign-in sessions',
      description: 'Signs the person out of every browser but this one, and ends their command lines.',
      schema: { response: { 303: NoBody } },
      platform: async ({ ptx, caller }) => {
        // Waits for a transaction that is allowing a command line, so that this request ends that command line too.
        await lockAccount(ptx, caller.accountId)
        await deleteOtherSessions(ptx, caller.accountId, caller.sessionHash)
        return redirectToSecurity('sessions_ended')
      },
    }),
  ]
}

type Frame = { readonly brand: ShownBrand; readonly person: AccountCaller; readonly csrf: string }

/** A secret that is not stored yet. It is stored after the person has entered a code that their app computed from it. */
type PendingSecret = { readonly account: string; readonly secret: string }

const SET_UP_SECONDS = 1_800

function authenticatorRoutes(deps: SecurityDeps, frame: (visit: Visit) => Frame): Route[] {
  const { platform, clock, brand, origin, totp } = deps
  const pending = tickets<PendingSecret>(deps, { kind: 'authenticator app', seconds: SET_UP_SECONDS })
  const proven = { ...SECURITY_COMMON, access: recentlyProven() }
  const show = (visit: Visit, secret: string, mistakes: Parameters<typeof setUpPage>[0]['mistakes'] = []) => {
    const { accountId, email } = visit.caller
    const address = enrolmentAddress({ issuer: brandName(brand), label: email, secret })
    const ticket = pending.seal({ account: accountId, secret }, visit.browser.csrf)
    return setUpPage({ ...frame(visit), secret, address, ticket, mistakes })
  }
  const codes = (visit: Visit, shown: readonly string[], isNew: boolean) =>
    recoveryCodesPage({ ...frame(visit), codes: shown, isNew })
  return [
    route({
      ...proven,
      operation: 'showAuthenticatorSetUp',
      method: 'GET',
      path: `${SECURITY_PATH}/authenticator`,
      summary: 'Show the authenticator set-up',
      description: 'Shows the page with the QR code and the key for an authenticator app.',
      schema: { response: { 200: Page, 303: NoBody } },
      handler: async (visit) => {
        const { totp: isSetUp } = await findFactors(platform.reads, visit.caller.accountId)
        return isSetUp ? redirectToSecurity() : { status: 200, body: show(visit, newTotpSecret()) }
      },
    }),
    route({
      ...proven,
      operation: 'setUpAuthenticator',
      method: 'POST',
      path: `${SECURITY_PATH}/authenticator`,
      accepts: FORM,
      summary: 'Set up an authenticator app',
      description: 'Verifies a code of an authenticator app and adds the app to the signed-in person’s account.',
      schema: {
        body: Type.Object({ ticket: Type.Optional(Type.String()), code: Type.Optional(Type.String()) }),
        response: { 200: Page, 303: NoBody, 422: Page },
      },
      handler: async ({ body, ...visit }) => {
        const account = visit.caller.accountId
        const found = pending.open(body.ticket, visit.browser.csrf)
        if (found === null || found.account !== account) {
          return { status: 422, body: show(visit, newTotpSecret(), [SET_UP_EXPIRED]) }
        }
        const step = stepOfCode(found.secret, codeAsTyped(body.code ?? ''), clock.now())
        if (step === null) return { status: 422, body: show(visit, found.secret, [WRONG_SET_UP_CODE]) }
        const sealedSecret = totp.seal(account, found.secret)
        const outcome = await platform.transaction((tx) => addTotp(tx, { account, origin }, { sealedSecret, step }))
        if (outcome.kind === 'exists' || outcome.codes === null) return redirectToSecurity()
        return { status: 200, body: codes(visit, outcome.codes, true) }
      },
    }),
    route({
      ...proven,
      operation: 'showAuthenticatorRemoval',
      method: 'GET',
      path: `${SECURITY_PATH}/authenticator/remove`,
      summary: 'Show the authenticator removal',
      description: 'Shows the page that asks whether to remove the authenticator app.',
      schema: { response: { 200: Page } },
      handler: async (visit) => ({
        status: 200,
        body: confirmChangePage({
          ...frame(visit),
          title: 'Remove the authenticator app?',
          text: 'The sign-in no longer asks for a code of the app, and codes of the app no longer work. If you have no passkey either, your recovery codes are deleted and your password alone signs you in.',
          action: `${SECURITY_PATH}/authenticator/remove`,
          label: 'Remove the authenticator app',
        }),
      }),
    }),
    route({
      ...proven,
      operation: 'removeAuthenticator',
      method: 'POST',
      path: `${SECURITY_PATH}/authenticator/remove`,
      accepts: FORM,
      summary: 'Remove the authenticator app',
      description: 'Removes the authenticator app of the signed-in person.',
      schema: { response: { 303: NoBody } },
      platform: async ({ ptx, caller }) => {
        await removeTotp(ptx, { account: caller.accountId, origin })
        return redirectToSecurity('authenticator_removed')
      },
    }),
    route({
      ...proven,
      operation: 'showRecoveryCodes',
      method: 'GET',
      path: `${SECURITY_PATH}/recovery-codes`,
      summary: 'Show the recovery code renewal',
      description: 'Shows the page that asks whether to make new recovery codes.',
      schema: { response: { 200: Page } },
      handler: async (visit) => ({
        status: 200,
        body: confirmChangePage({
          ...frame(visit),
          title: 'Make new recovery codes?',
          text: 'You get ten new codes, shown once. Your current codes stop working.',
          action: `${SECURITY_PATH}/recovery-codes`,
          label: 'Make new codes',
          danger: false,
        }),
      }),
    }),
    route({
      ...proven,
      operation: 'renewRecoveryCodes',
      method: 'POST',
      path: `${SECURITY_PATH}/recovery-codes`,
      accepts: FORM,
      summary: 'Create new recovery codes',
      description: 'Replaces the recovery codes of the signed-in person and shows the new ones once.',
      schema: { response: { 200: Page, 303: NoBody } },
      // A `handler`, because the response of a `platform` route is stored for its Idempotency-Key, and this response contains codes.
      handler: async (visit) => {
        const account = visit.caller.accountId
        const shown = await platform.transaction((tx) => renewRecoveryCodes(tx, { account, origin }))
        return shown === null ? redirectToSecurity() : { status: 200, body: codes(visit, shown, false) }
      },
    }),
  ]
}

const SET_UP_EXPIRED = {
  message: 'The set-up took too long. Scan the new code below, and remove the old entry from your app.',
}
const WRONG_SET_UP_CODE = {
  field: 'code',
  message: 'This code does not fit. Enter the newest one, and check that the clock of your phone is right.',
}
