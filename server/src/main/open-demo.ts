import type { DemoFile } from '#demo/index.ts'
import type { OpenDemo } from '#http/reference/open-demo.ts'

/** Only what may be seen by everybody leaves the demo's file: its secrets and passwords stay where they are. */
export function openDemo({ apps, people, ids }: DemoFile): OpenDemo | null {
  const [app, other] = apps
  const keyOf = (type: string) => app?.keys.find((key) => key.mode === 'test' && key.type === type)?.client_id
  const [publishableKey, clientId] = [keyOf('confidential'), keyOf('public')]
  if (app === undefined || publishableKey === undefined || clientId === undefined) return null
  return {
    publishableKey,
    clientId,
    // "The referral-code scopes are held by the app's server key only": no person can be asked for them.
    scopes: app.scopes.filter((scope) => !scope.endsWith(':referral_codes')),
    ids: {
      co_: ids.company,
      ofr_: ids.offering_public,
      syn_: ids.syndicate,
      inv_: ids.investment,
      usr_: people.investor.id,
      // Not the app the page connects: whoever tries to disconnect one would lose the token they try it with.
      app_: (other ?? app).id,
      org_: app.organization_id,
    },
  }
}
