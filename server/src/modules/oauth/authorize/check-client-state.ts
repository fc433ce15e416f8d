import type { Client } from '#modules/apps/index.ts'
import { whyStopped } from '../client/stopped.ts'
import { PageRefusal } from './refusals.ts'

/** A suspended app is one the platform does not vouch for: people are not sent back to it, not even with an error. */
export function checkClientState({ client }: { readonly client: Client }): void {
  const stopped = whyStopped(client)
  if (stopped !== null) throw new PageRefusal('app_unavailable', stopped)
}
