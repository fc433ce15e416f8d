import { card, emptyState, facts, itemFoot, items, notice, tag } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden, linkButton, moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { Person } from '#pages/layout.ts'
import { settingsPage } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { SessionRow } from '../sign-in/store.ts'
import { qrCode } from './codes.ts'
import { passkeyForm, passkeyScript } from './passkey-form.ts'
import type { PasskeyOffer, Passkeys } from './passkeys.ts'
import { asksSecondStep, type FactorsInForce, type PasskeyRow } from './store.ts'

export const SECURITY_PATH = '/settings/security'

/**
 * Messages that `?done=…` selects. The texts are fixed, because any site can link to this page and could otherwise show its own text here.
 */
const DONE: Readonly<Record<string, string>> = {
  authenticator_removed: 'The authenticator app was removed.',
  passkey_added: 'The passkey was added.',
  passkey_deleted: 'The passkey was deleted.',
  session_ended: 'The session was ended.',
  sessions_ended: 'All other sessions were ended.',
}

type Frame = { readonly brand: ShownBrand; readonly person: Person; readonly csrf: string }

type SecurityParts = Frame & {
  readonly factors: FactorsInForce
  readonly passkeys: readonly PasskeyRow[]
  readonly unavailable: ReturnType<Passkeys['unavailable']>
  readonly sessions: readonly SessionRow[]
  readonly nowMs: number
  readonly done: string | undefined
  /** Whether sign-in with passwords is on. */
  readonly offersPasswords: boolean
}

export function securityPage({ brand, person, csrf, ...parts }: SecurityParts): string {
  const done = parts.done === undefined ? undefined : DONE[parts.done]
  const main = [
    done !== undefined && notice(done),
    html`<section class="stack" aria-labelledby="factors"><h2 id="factors">${parts.offersPasswords ? 'Password and second step' : 'Second step'}</h2>${twoSteps(parts.factors, parts.offersPasswords)}</section>`,
    html`<section class="stack" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>${passkeySection(parts)}</section>`,
    html`<section class="stack" aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>${sessionSection({ ...parts, csrf })}</section>`,
  ]
  const lead = 'How you sign in, and where you are signed in.'
  return settingsPage({ tab: 'security', title: 'Security', lead, brand, person, csrf, main })
}

function twoSteps(factors: FactorsInForce, offersPasswords: boolean): HtmlValue {
  const app = factors.totp
    ? itemFoot(
        'When you sign in with your password, you also enter a code from this app.',
        linkButton('Remove', at('authenticator/remove')),
      )
    : itemFoot('An app on your phone shows a new code every 30 seconds.', linkButton('Set up', at('authenticator')))
  const state = factors.totp ? tag('On') : tag('Off', asksSecondStep(factors) ? 'plain' : 'warning')
  return items([
    ...passwordCard(factors, offersPasswords),
    card(html`<h3>Authenticator app ${state}</h3>`, app),
    ...(asksSecondStep(factors) ? [recoveryCard(factors.recovery_codes)] : []),
  ])
}

/** Returns no card for an account without a password if sign-in with passwords is off. */
function passwordCard({ has_password }: FactorsInForce, offersPasswords: boolean): readonly Html[] {
  if (!has_password && !offersPasswords) return []
  const explanation = has_password ? 'You can sign in with a password.' : 'This account has no password.'
  const change = linkButton(has_password ? 'Change' : 'Set one', '/settings/password')
  return [card(html`<h3>Password</h3>`, itemFoot(explanation, change))]
}

function recoveryCard(left: number): Html {
  const words = left === 0 ? 'None left' : left === 1 ? 'One left' : `${left} left`
  const explanation = 'Each code signs you in once when you do not have your phone or passkey.'
  return card(
    html`<h3>Recovery codes ${tag(words, left < 3 ? 'warning' : 'plain')}</h3>`,
    itemFoot(explanation, linkButton('Make new codes', at('recovery-codes'))),
  )
}

const WHY_UNAVAILABLE = {
  address:
    'Passkeys need a host name, and this page was opened at an IP address. Open it under its name, such as localhost on your own machine.',
  insecure: 'Passkeys need an encrypted connection. Open this page with https.',
} as const

function passkeySection({ passkeys, unavailable, nowMs }: Pick<SecurityParts, 'passkeys' | 'unavailable' | 'nowMs'>) {
  const add = unavailable === null && linkButton('Add a passkey', at('passkeys/new'), 'primary')
  const why = unavailable !== null && notice(WHY_UNAVAILABLE[unavailable], 'warning')
  if (passkeys.length === 0) {
    const text =
      'A passkey signs you in with your fingerprint, face or screen lock instead of a password. It cannot be phished.'
    return [why, emptyState({ title: 'No passkeys yet', text, ...(add && { action: add }) })]
  }
  const cards = passkeys.map(({ id, name, created_at, last_used_at, backed_up }) => {
    const used = last_used_at === null ? 'never used' : ['last used ', moment(last_used_at, nowMs)]
    const times = ['Added ', moment(created_at, nowMs), ', ', used, backed_up && ', saved with your other passkeys']
    return card(html`<h3><bdi>${name}</bdi></h3>`, itemFoot(times, linkButton('Delete', at(`passkeys/${id}/delete`))))
  })
  return [why, items(cards), add && actions(add)]
}

function sessionSection({ sessions, csrf, nowMs }: Pick<SecurityParts, 'sessions' | 'nowMs'> & { csrf: string }) {
  const cards = sessions.map(({ id, kind, device, created_at, seen_at, is_this }) => {
    const [began, seen] = kind === 'browser' ? ['Signed in ', ', last seen '] : ['Allowed ', ', last used ']
    const times = [began, moment(created_at, nowMs), seen, moment(seen_at, nowMs)]
    const end = form({
      action: at(`sessions/${id}/end`),
      csrf,
      content: button({ label: 'End', kind: 'secondary' }),
    })
    const name = kind === 'browser' ? (device ?? 'An unknown browser') : html`Command line on <bdi>${device}</bdi>`
    return card(html`<h3>${name} ${is_this && tag('This browser')}</h3>`, itemFoot(times, !is_this && end))
  })
  const others = sessions.some(({ is_this }) => !is_this)
  const label = 'End all other sessions'
  return [
    items(cards),
    others && form({ action: at('sessions/end-others'), csrf, content: actions(button({ label, kind: 'secondary' })) }),
    html`<p class="hint">We store the kind of browser or the name of the computer, and the times. We do not store network addresses.</p>`,
  ]
}

const at = (path: string) => `${SECURITY_PATH}/${path}`

export type FieldMistake = { readonly field?: string; readonly message: string }

type SetUpParts = Frame & {
  readonly secret: string
  /** The URI in the QR code. */
  readonly address: string
  /** The sealed secret. The server stores the secret only after a code from the app has confirmed it. */
  readonly ticket: string
  readonly mistakes?: readonly FieldMistake[]
}

export function setUpPage({ secret, address, ticket, mistakes = [], ...frame }: SetUpParts): string {
  const grouped = secret.replaceAll(/.{4}(?!$)/g, '$& ')
  const main = card(
    errorSummary(mistakes, 'The app is not set up yet'),
    html`<p>Scan this code with an authenticator app, then enter the six digits that it shows.</p>
<div class="enrolment">${qrCode(address, 'QR code for your authenticator app')}
${facts([['Key, if you cannot scan', html`<code class="whole">${grouped}</code>`]])}</div>`,
    form({
      action: at('authenticator'),
      csrf: frame.csrf,
      content: [
        hidden('ticket', ticket),
        field({
          name: 'code',
          label: 'Code from the app',
          error: mistakes.find((each) => each.field === 'code')?.message,
          autocomplete: 'one-time-code',
          required: true,
          maxLength: 10,
        }),
        actions(button({ label: 'Set up the app' }), linkButton('Cancel', SECURITY_PATH)),
      ],
    }),
  )
  return settingsPage({ tab: 'security', title: 'Set up an authenticator app', ...frame, main })
}

export function recoveryCodes(codes: readonly string[]): HtmlValue {
  return [
    notice('Write these codes down or print them now. They are not shown again.', 'warning'),
    html`<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p>Each code signs you in once, instead of your app or passkey. Keep them where others cannot see them.</p>`,
  ]
}

export function recoveryCodesPage({ codes, isNew, ...frame }: Frame & { codes: readonly string[]; isNew: boolean }) {
  const main = card(
    recoveryCodes(codes),
    !isNew && html`<p>Your earlier codes no longer work.</p>`,
    actions(linkButton('I have saved them', SECURITY_PATH, 'primary')),
  )
  return settingsPage({ tab: 'security', title: 'Your recovery codes', ...frame, main })
}

type ConfirmChangeParts = Frame & {
  readonly title: string
  readonly text: HtmlValue
  readonly action: string
  readonly label: string
  readonly danger?: boolean
  readonly mistakes?: readonly FieldMistake[]
}

/** Asks the person to confirm a change, and describes its effect. */
export function confirmChangePage({
  title,
  text,
  action,
  label,
  danger = true,
  mistakes = [],
  ...frame
}: ConfirmChangeParts): string {
  const main = card(
    errorSummary(mistakes, 'Nothing was changed'),
    html`<p>${text}</p>`,
    form({
      action,
      csrf: frame.csrf,
      content: actions(button({ label, kind: danger ? 'danger' : 'primary' }), linkButton('Cancel', SECURITY_PATH)),
    }),
  )
  return settingsPage({ tab: 'security', title, ...frame, main })
}

type NewPasskeyParts = Frame & {
  readonly offer: PasskeyOffer
  readonly name: string
  readonly mistakes?: readonly FieldMistake[]
}

export function newPasskeyPage({ offer, name, mistakes = [], ...frame }: NewPasskeyParts): string {
  const create = passkeyForm({
    action: at('passkeys/new'),
    csrf: frame.csrf,
    offer,
    use: 'create',
    label: 'Create the passkey',
    kind: 'primary',
    instead: 'You can still sign in as before.',
    fields: field({
      name: 'name',
      label: 'Name',
      hint: 'A name by which you recognise this passkey in the list, such as “Work laptop”.',
      value: name,
      error: mistakes.find((each) => each.field === 'name')?.message,
      maxLength: 60,
      required: true,
    }),
  })
  const main = card(
    errorSummary(mistakes, 'The passkey was not added'),
    html`<p>Your browser will ask for your fingerprint, face or screen lock, or for a security key. A passkey counts as both steps of a sign-in.</p>`,
    create,
    actions(linkButton('Cancel', SECURITY_PATH)),
  )
  const script = passkeyScript().address
  return settingsPage({ tab: 'security', title: 'Add a passkey', ...frame, main, script })
}
