import {
  type FieldMistake,
  nameField,
  newPasswordField,
  passkeyScript,
  type SignUpPasskey,
  signUpPasskeyForm,
} from '#access/accounts/http.ts'
import { isAddressedTo, type LinkedInvitation } from '#access/organizations/index.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { card, facts } from '#pages/blocks.ts'
import { actions, button, errorSummary, form, linkButton, signedInAs } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'

export type InvitationPageParts = {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly caller: AccountCaller | null
  /** The address of this page. */
  readonly path: string
  /** How a person without an account can create one here; null if they cannot. */
  readonly signUp: { readonly password: boolean; readonly passkey: SignUpPasskey | null } | null
  readonly invitation: LinkedInvitation
  readonly name?: string
  readonly mistakes?: readonly FieldMistake[]
}

/** Shows the invitation. Only the person with the invited address can answer it. */
export function invitationPage(parts: InvitationPageParts): string {
  const { brand, csrf, caller, invitation, signUp, mistakes = [] } = parts
  const title = `Join ${invitation.organization_name}?`
  const main = card(
    html`<h1>Join the team of <bdi>${invitation.organization_name}</bdi>?</h1>`,
    errorSummary(mistakes, 'You have not joined'),
    html`<p class="lead"><strong><bdi>${invitation.inviter_name}</bdi></strong> invites you to build with them at ${brandName(brand)}.</p>`,
    facts([
      ['Organization', html`<bdi>${invitation.organization_name}</bdi>`],
      ['Your role', ROLE_WORDS[invitation.role]],
      ['Sent to', html`<bdi>${invitation.email}</bdi>`],
    ]),
    caller === null ? strangersWay(parts) : ownersWay(parts, caller),
  )
  const script = signUp === null || signUp.passkey === null ? {} : { script: passkeyScript().address }
  return page({ title, brand, csrf, main, ...script })
}

const ROLE_WORDS: Readonly<Record<LinkedInvitation['role'], string>> = {
  owner: 'Owner: everything, and other owners too',
  admin: 'Admin: apps, keys and the team',
  developer: 'Developer: apps and keys',
}

function ownersWay({ csrf, path, invitation }: InvitationPageParts, caller: AccountCaller): HtmlValue {
  const who = signedInAs({ person: caller, csrf, returnTo: path })
  if (!isAddressedTo(invitation, caller.email)) {
    return [
      who,
      html`<p>The invitation was sent to another address. To answer, sign in with that address, or ask for an invitation to ${caller.email}.</p>`,
    ]
  }
  const content = actions(
    button({ label: `Join ${invitation.organization_name}`, name: 'decision', value: 'accept' }),
    button({ label: 'Decline', kind: 'secondary', name: 'decision', value: 'decline' }),
  )
  return [who, form({ action: path, csrf, content })]
}

/** The link proves that the reader owns the address, so the page may say whether the address has an account. */
function strangersWay(parts: InvitationPageParts): HtmlValue {
  const { csrf, path, invitation, signUp, name = '', mistakes = [] } = parts
  const signIn = (kind: 'primary' | 'secondary') => linkButton('Sign in', signInAddress(path), kind)
  if (invitation.has_account || signUp === null) {
    return [html`<p>Sign in with the address above to answer.</p>`, actions(signIn('primary'))]
  }
  const { password, passkey } = signUp
  const label = 'Create an account and join'
  const content = [
    nameField({ value: name, mistakes }),
    password && newPasswordField({ mistakes }),
    password && actions(button({ label })),
  ]
  const action = `${path}/sign-up`
  return [
    html`<h2>Create your account</h2>`,
    form({ action, csrf, content, id: FORM_ID }),
    passkey !== null &&
      signUpPasskeyForm({
        ...{ action, csrf, passkey, fieldsFrom: FORM_ID, copied: ['name'], kind: password ? 'secondary' : 'primary' },
        label: password ? 'Use a passkey instead' : label,
        instead: password ? 'Choose a password.' : 'Use another browser, or sign in first.',
      }),
    html`<p class="muted">You have an account with another address? <a href="${signInAddress(null)}">Sign in</a> and ask for an invitation to it.</p>`,
  ]
}

const FORM_ID = 'new-account'

type DeadPage = { readonly brand: ShownBrand; readonly requestId: string }

export function deadInvitationPage({ brand, requestId }: DeadPage): string {
  const title = 'This invitation no longer works'
  const main = card(
    html`<h1>${title}</h1><p>It was answered, withdrawn or replaced, or it has expired.</p><p>If you have accepted it, you find the team in your settings. Otherwise ask for a new invitation.</p>`,
    actions(linkButton('Go to your organizations', '/settings/organizations', 'primary')),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ title, brand, main })
}
