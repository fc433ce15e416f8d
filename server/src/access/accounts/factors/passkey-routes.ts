import { Type } from 'typebox'
import { recentlyProven } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import { notFound } from '#kernel/errors.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { html } from '#pages/html.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { SignInSettings } from '../settings.ts'
import { deviceLabel } from '../sign-in/sign-ins.ts'
import { addPasskey, PASSKEYS_MAX, removePasskey } from './change-factors.ts'
import type { TotpSecrets } from './codes.ts'
import type { Passkeys } from './passkeys.ts'
import {
  confirmChangePage,
  type FieldMistake,
  newPasskeyPage,
  recoveryCodesPage,
  SECURITY_PATH,
} from './security-page.ts'
import { listPasskeys } from './store.ts'

export type SecurityDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly totp: TotpSecrets
  readonly passkeys: Passkeys
  readonly settings: Pick<SignInSettings, 'passwords'>
}

const Page = Type.String()
const NoBody = Type.Null()
export const SECURITY_COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
} as const
const NEW = `${SECURITY_PATH}/passkeys/new`
const DELETE = `${SECURITY_PATH}/passkeys/:passkey_id/delete`
const PasskeyParam = Type.Object({ passkey_id: Type.String() })
const FORM = ['application/x-www-form-urlencoded'] as const
const NAME_CHARS_MAX = 60
const LINE = new RegExp(LINE_PATTERN, 'u')
const SCRIPTED = { 'Content-Security-Policy': pagePolicy({ scripts: true }) }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Responds 404 to a malformed id. PostgreSQL would reject it with an error, which would be a 500. */
export function rowId(text: string): string {
  if (UUID.test(text)) return text
  throw notFound('not the id of a row')
}

export function redirectToSecurity(done?: string) {
  const location = done === undefined ? SECURITY_PATH : `${SECURITY_PATH}?done=${done}`
  return { status: 303 as const, body: null, headers: { Location: location } }
}

type Visit = { readonly caller: AccountCaller; readonly browser: Browser }

/** Routes on which the signed-in person adds and deletes passkeys. */
export function passkeyRoutes({ platform, passkeys, brand, origin }: SecurityDeps): Route[] {
  const common = { ...SECURITY_COMMON, access: recentlyProven() }
  const frame = ({ caller, browser }: Visit) => ({ brand, person: caller, csrf: browser.csrf })
  const show = async (visit: Visit, name: string, mistakes: readonly FieldMistake[] = []) => {
    const { accountId: id, email, name: fullName } = visit.caller
    const offer = await passkeys.offerRegistration({ id, email, name: fullName }, visit.browser.csrf)
    return newPasskeyPage({ ...frame(visit), offer, name, mistakes })
  }
  const askDeletion = (visit: Visit, passkey: { readonly id: string; readonly name: string }, mistake?: string) =>
    confirmChangePage({
      ...frame(visit),
      title: 'Delete this passkey?',
      text: html`The passkey <strong><bdi>${passkey.name}</bdi></strong> will no longer sign you in here. Delete it from your device or password manager too.`,
      action: `${SECURITY_PATH}/passkeys/${passkey.id}/delete`,
      label: 'Delete the passkey',
      mistakes: mistake === undefined ? [] : [{ message: mistake }],
    })
  return [
    route({
      ...common,
      operation: 'showNewPasskey',
      method: 'GET',
      path: NEW,
      summary: 'Show the new passkey page',
      description: 'Shows the page on which a person adds a passkey.',
      schema: { response: { 200: Page, 303: NoBody } },
      handler: async ({ header, ...visit }) => {
        if (passkeys.unavailable() !== null) return redirectToSecurity()
        return { status: 200, body: await show(visit, deviceLabel(header('user-agent'))), headers: SCRIPTED }
      },
    }),
    route({
      ...common,
      operation: 'addPasskey',
      method: 'POST',
      path: NEW,
      accepts: FORM,
      summary: 'Add a passkey',
      description: 'Verifies a new passkey and adds it to the signed-in person’s account.',
      schema: {
        body: Type.Object({
          name: Type.Optional(Type.String()),
          ticket: Type.Optional(Type.String()),
          credential: Type.Optional(Type.String()),
        }),
        response: { 200: Page, 303: NoBody, 422: Page },
      },
      handler: async ({ body, ...visit }) => {
        const account = visit.caller.accountId
        const name = (body.name ?? '').trim()
        const rejected = async (mistake: FieldMistake) => {
          return { status: 422 as const, body: await show(visit, name, [mistake]), headers: SCRIPTED }
        }
        if (passkeys.unavailable() !== null) return redirectToSecurity()
        if (name === '' || [...name].length > NAME_CHARS_MAX || !LINE.test(name)) return rejected(BAD_NAME)
        const { ticket, credential } = body
        const response = { purpose: 'register', account, csrf: visit.browser.csrf, ticket, credential } as const
        const verified = await passkeys.verifyRegistration(response)
        if (verified === null) return rejected(NOT_VERIFIED)
        const outcome = await platform.transaction((tx) => addPasskey(tx, { account, origin }, { ...verified, name }))
        if (outcome.kind !== 'added') return rejected(outcome.kind === 'exists' ? EXISTS : TOO_MANY)
        if (outcome.codes === null) return redirectToSecurity('passkey_added')
        return { status: 200, body: recoveryCodesPage({ ...frame(visit), codes: outcome.codes, isNew: true }) }
      },
    }),
    route({
      ...common,
      operation: 'showPasskeyDeletion',
      method: 'GET',
      path: DELETE,
      summary: 'Show the passkey deletion',
      description: 'Shows the page on which a person confirms that a passkey is to be deleted.',
      schema: { params: PasskeyParam, response: { 200: Page } },
      handler: async ({ params, ...visit }) => {
        const found = await listPasskeys(platform.reads, visit.caller.accountId)
        const passkey = found.find(({ id }) => id === params.passkey_id)
        if (passkey === undefined) throw notFound('no such passkey of this account')
        return { status: 200, body: askDeletion(visit, passkey) }
      },
    }),
    route({
      ...common,
      operation: 'deletePasskey',
      method: 'POST',
      path: DELETE,
      accepts: FORM,
      summary: 'Delete a passkey',
      description: 'Deletes a passkey of the signed-in person.',
      schema: { params: PasskeyParam, response: { 303: NoBody, 422: Page } },
      handler: async ({ params, ...visit }) => {
        const account = visit.caller.accountId
        const id = rowId(params.passkey_id)
        const outcome = await platform.transaction((tx) => removePasskey(tx, { account, origin }, id))
        if (outcome === 'unknown') throw notFound('no such passkey of this account')
        if (outcome === 'deleted') return redirectToSecurity('passkey_deleted')
        const [passkey] = await listPasskeys(platform.reads, account)
        if (passkey === undefined) throw notFound('the passkey no longer exists')
        return { status: 422, body: askDeletion(visit, passkey, ONLY_WAY) }
      },
    }),
  ]
}

const BAD_NAME = { field: 'name', message: `Enter a name of 1 to ${NAME_CHARS_MAX} characters.` }
const NOT_VERIFIED = { message: 'The passkey could not be verified, or the page was open for too long. Try again.' }
const EXISTS = { message: 'This passkey is registered already.' }
const TOO_MANY = { message: `An account can have ${PASSKEYS_MAX} passkeys. First delete one that you no longer use.` }
const ONLY_WAY = 'This passkey is the only way to sign in to your account. Set a password or add another passkey first.'
