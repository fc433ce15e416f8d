import { card } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, field, form, linkButton } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../password-rules.ts'
import type { LinkInForce } from './link-store.ts'

export type LinkPageParts = {
  readonly brand: ShownBrand
  readonly csrf: string
  /** The address of this page, to which its form is sent. */
  readonly action: string
  readonly link: LinkInForce
  readonly mistakes?: readonly { readonly field: 'password' | 'repeated'; readonly message: string }[]
}

/** Opening a link changes nothing: mail scanners open links, and only a person presses the button. */
export function linkPage(parts: LinkPageParts): string {
  return parts.link.purpose === 'sign_in' ? signInLinkPage(parts) : passwordLinkPage(parts)
}

function signInLinkPage({ brand, csrf, action, link }: LinkPageParts): string {
  const name = brandName(brand)
  const main = card(
    html`<h1>Sign in to ${name}</h1>`,
    html`<p class="lead">This link signs this browser in as <strong><bdi>${link.name}</bdi></strong> (${link.email}). It works once.</p>`,
    form({ action, csrf, content: actions(button({ label: `Sign in as ${link.name}` })) }),
    html`<p class="muted">Press the button only if you asked for this link.</p>`,
  )
  return page({ title: 'Sign in', brand, main })
}

function passwordLinkPage({ brand, csrf, action, link, mistakes = [] }: LinkPageParts): string {
  const errorOf = (name: 'password' | 'repeated') => mistakes.find(({ field: at }) => at === name)?.message
  const fields = [
    field({
      name: 'password',
      label: 'New password',
      type: 'password',
      hint: `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`,
      error: errorOf('password'),
      autocomplete: 'new-password',
      required: true,
    }),
    field({
      name: 'repeated',
      label: 'The same password again',
      type: 'password',
      error: errorOf('repeated'),
      autocomplete: 'new-password',
      required: true,
    }),
    actions(button({ label: 'Set the password' })),
  ]
  const main = card(
    html`<h1>Set a password</h1>`,
    errorSummary(mistakes, 'The password was not set'),
    html`<p class="lead">For the account of <strong><bdi>${link.name}</bdi></strong> (${link.email}). Every browser that is signed in to this account is signed out.</p>`,
    form({ action, csrf, content: fields }),
  )
  return page({ title: 'Set a password', brand, main })
}

export function deadLinkPage({ brand, requestId }: { readonly brand: ShownBrand; readonly requestId: string }): string {
  const title = 'This link no longer works'
  const main = card(
    html`<h1>${title}</h1><p>It was used before, has expired, or was replaced by a newer one.</p><p>Ask for a new link, or sign in as usual.</p>`,
    actions(linkButton('Go to sign-in', '/sign-in', 'primary')),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ title, brand, main })
}
