import { newId } from '#kernel/ids.ts'
import type { EndpointNotice, TellTeam } from '#modules/webhooks/index.ts'
import { insertNotice } from './store.ts'

/** Puts what happened to an endpoint into its team's feed, from where the mail is sent too. */
export const tellTeam: TellTeam = async (
  tx,
  { kind, app, world, endpoint, url, failingSince, reason }: EndpointNotice,
) => {
  const details = { url, failing_since: failingSince, reason }
  await insertNotice(tx, { id: newId('notice'), app, world, kind, subject: endpoint, details })
}
