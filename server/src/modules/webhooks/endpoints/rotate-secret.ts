import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { EndpointSettings, EndpointWithSecret } from './create-endpoint.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import type { Manager } from './manager.ts'
import { eraseExpired, findPrevious, type PreviousSecrets, rotateSecretRow } from './secret-store.ts'
import { newWebhookSecret, sealSecret } from './secrets.ts'

/** Each signs every delivery along with the newest: the header stays of a size that receivers accept. */
const PREVIOUS_MAX = 5

type Rotating = { readonly id: Id<'webhookEndpoint'>; readonly settings: EndpointSettings }

/**
 * "Rotation overlaps 24 h": whichever secret a receiver was deployed with, it verifies for 24 hours after it was replaced,
 * however often that happened since. So one that would have to go before its time is a reason to refuse.
 */
export async function rotateSecret(
  tx: PlatformTx,
  manager: Manager,
  { id, settings }: Rotating,
): Promise<EndpointWithSecret> {
  const endpoint = await lockEndpoint(tx, manager, id)
  await eraseExpired(tx, [id])
  refuseBeyond(await findPrevious(tx, id))
  const secret = newWebhookSecret()
  await rotateSecretRow(tx, id, sealSecret(settings.secrets, id, secret))
  return { endpoint, secret }
}

function refuseBeyond({ count, oldest_until }: PreviousSecrets): void {
  if (count < PREVIOUS_MAX) return
  throw new ApiError('illegal_transition', {
    public: `This endpoint was rotated ${count} times in 24 hours, and all of those secrets still sign along.`,
    remediation: `The oldest ends at ${oldest_until}: rotate after that. Where a secret is known to others, a new endpoint is safe at once.`,
    details: {
      from: 'rotated',
      event: 'rotate_secret',
      allowed: [],
      previous_secrets: count,
      possible_at: oldest_until,
    },
  })
}
