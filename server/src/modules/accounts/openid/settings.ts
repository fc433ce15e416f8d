/** Another provider people may sign in with, whichever it is: all else is found at its issuer (OpenID Discovery). */
export type OpenIdSettings = {
  /** `https://…`, exactly as the provider names itself; `http` on this machine alone. */
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which has none. */
  readonly clientSecret: string | null
  /** What people call it: the button says “Continue with …”. */
  readonly name: string
}
