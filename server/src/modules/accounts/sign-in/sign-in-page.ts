import { card, notice } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden, linkButton } from '#http/pages/elements.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import { brandName, type ShownBrand } from '#http/pages/platform-brand.ts'
import type { SignInSettings } from '../settings.ts'
import { DEFAULT_RETURN_TO, worldOfReturnTo } from './return-to.ts'

export type Mistake = { readonly field?: 'email' | 'password'; readonly message: string }

export type SignInPageParts = {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly csrf: string
  /** Checked: a path of ours. */
  readonly returnTo: string
  readonly email?: string
  readonly mistakes?: readonly Mistake[]
  readonly signedOut?: boolean
}

export function signInPage(parts: SignInPageParts): string {
  const { brand, settings, csrf, returnTo, mistakes = [], signedOut = false } = parts
  const main = card(
    html`<h1>Sign in to ${brandName(brand)}</h1>`,
    errorSummary(mistakes, 'You are not signed in'),
    signedOut && notice('You are signed out of this browser.'),
    !signedOut && mistakes.length === 0 && html`<p class="lead">${whySignIn(returnTo)}</p>`,
    settings.passwords && passwordForm(parts),
    elsewhere(settings, returnTo),
  )
  return page({ title: 'Sign in', brand, csrf, world: worldOfReturnTo(returnTo), main })
}

const EMAIL_CHARS_MAX = 254

function passwordForm({ csrf, returnTo, email = '', mistakes = [] }: SignInPageParts): HtmlValue {
  const errorOf = (name: Mistake['field']) => mistakes.find(({ field }) => field === name)?.message
  return form({
    action: '/sign-in',
    csrf,
    content: [
      hidden('return_to', returnTo),
      field({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: email,
        error: errorOf('email'),
        autocomplete: 'username',
        required: true,
        maxLength: EMAIL_CHARS_MAX,
      }),
      field({
        name: 'password',
        label: 'Password',
        type: 'password',
        error: errorOf('password'),
        autocomplete: 'current-password',
        required: true,
      }),
      actions(button({ label: 'Sign in' })),
    ],
  })
}

function elsewhere({ passwords, openid }: SignInSettings, returnTo: string): HtmlValue {
  if (openid === null) return undefined
  const href = `/sign-in/openid?${new URLSearchParams({ return_to: returnTo })}`
  const way = actions(linkButton(`Continue with ${openid.name}`, href, passwords ? 'secondary' : 'primary'))
  return passwords ? [html`<p class="muted">Or use another sign-in:</p>`, way] : way
}

/**
 * Why somebody is asked to sign in, by where they want to go. Which app is asking is said on the next page and not
 * here, where anybody could write anything into a link.
 */
function whySignIn(returnTo: string): string {
  const [path = ''] = returnTo.split('?', 1)
  if (path === '/oauth/authorize') {
    return 'An app would like to connect to your account. Sign in first: you will then see what it asks for, and nothing is shared before you agree.'
  }
  if (path.startsWith('/apps/')) {
    return 'You are about to install an app. Sign in first: you will then see what it asks for, and nothing is shared before you agree.'
  }
  return path === DEFAULT_RETURN_TO
    ? 'Sign in to see which apps are connected to your account.'
    : 'The page you asked for is for people who are signed in.'
}
