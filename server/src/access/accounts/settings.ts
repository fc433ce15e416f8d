import type { ResponseLimits } from './openid/provider-fetch.ts'

/** How people sign in and sign up. The service starts only if passwords or a provider are on. */
export type SignInSettings = {
  /** Whether people may sign in with a password. */
  readonly passwords: boolean
  readonly openid: OpenIdSettings | null
  /** Who may create an account: every visitor, invited people, or no one. */
  readonly signUp: SignUpSetting
  /** Whether the service sends mail. Without mail, people cannot use the sign-up form or request a link to a new password. */
  readonly mail: boolean
}

/** How long the platform's staff may act after one proof of their second factor, and how long they may pause between two requests. */
export type StaffLimits = { readonly hours: number; readonly idleMinutes: number }

/** A working day, and a break. `PORTICO_STAFF_SESSION_HOURS` and `PORTICO_STAFF_IDLE_MINUTES` change them. */
export const STAFF_LIMITS: StaffLimits = { hours: 8, idleMinutes: 30 }

export const SIGN_UP_SETTINGS = ['open', 'invitation', 'closed'] as const
export type SignUpSetting = (typeof SIGN_UP_SETTINGS)[number]

/** Whether the sign-up form is offered. A sign-up needs a mail, and then a password or a passkey. */
export function offersSignUpForm({ signUp, passwords, mail }: SignInSettings, passkeys: boolean): boolean {
  return signUp === 'open' && mail && (passwords || passkeys)
}

/** Whether people may make accounts by themselves: by the form, or at the OpenID Connect provider. */
export function offersSignUp(settings: SignInSettings, passkeys: boolean): boolean {
  return offersSignUpForm(settings, passkeys) || (settings.signUp === 'open' && settings.openid !== null)
}

/** An OpenID Connect provider with which people sign in. Its endpoints are read from its issuer (OpenID Discovery). */
export type OpenIdSettings = {
  /** `https://…`, exactly as the provider names itself; `http` only on this machine. */
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which has no secret. */
  readonly clientSecret: string | null
  /** The provider's name on pages: the button says “Continue with …”. */
  readonly name: string
  /** How often one network address and one browser may return from the provider in 15 minutes. 0 or undefined: no limit. */
  readonly callbackLimits?: { readonly perAddress: number; readonly perBrowser: number }
  /** Limits for one response of the provider. Default: 1 MB and 10 seconds. */
  readonly responseLimits?: ResponseLimits
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isLoopbackHttp(issuer: URL): boolean {
  return issuer.protocol === 'http:' && LOOPBACK.has(issuer.hostname)
}
