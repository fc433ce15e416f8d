import type { Browser } from '#http/browser/browser.ts'
import type { AccountCaller } from '#kernel/caller.ts'

/** Somebody who followed a link, signed in or not. */
export type Visit = {
  readonly params: { readonly link: string }
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}
