import type { OpenIdSettings } from './openid/settings.ts'

/** The ways to sign in; there must be at least one. */
export type SignInSettings = {
  /** Whether accounts with a password may use it here. */
  readonly passwords: boolean
  readonly openid: OpenIdSettings | null
}
