import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { SealedSecrets } from '../signature.ts'

type EndpointId = Id<'webhookEndpoint'>

/** For `platform.webhook_endpoints w`: the replaced secrets that still sign, newest first; null or empty if there are none. */
export const PREVIOUS_SECRETS = `
  case when cardinality(w.previous_secrets) > 0
       then array(select p.secret from unnest(w.previous_secrets, w.previous_secrets_until) as p (secret, until)
                   where p.until > clock_timestamp()) end as previous_secrets`

const SECRETS = platformStatement<SealedSecrets>(
  'webhooks.endpoint_secrets',
  `select w.id, w.secret, ${PREVIOUS_SECRETS} from platform.webhook_endpoints w
    where w.id = $1 and w.state <> 'removed'`,
)

/** Returns the current secret and the replaced ones that are still valid. Null if the endpoint was removed. */
export async function findSecrets(queries: PlatformQueries, id: EndpointId): Promise<SealedSecrets | null> {
  return queries.maybeOne(SECRETS, [id])
}

/** "Rotation overlaps 24 h": how long a replaced signing secret still signs deliveries, in real time. */
const ENDPOINT_SECRET_OVERLAP_HOURS = 24

const ROTATE = platformStatement(
  'webhooks.rotate_secret',
  `update platform.webhook_endpoints
      set previous_secrets = array_prepend(secret, previous_secrets),
          previous_secrets_until = array_prepend(clock_timestamp() + interval '${ENDPOINT_SECRET_OVERLAP_HOURS} hours', previous_secrets_until),
          secret = $2, updated_at = clock_timestamp()
    where id = $1`,
)

/** Each replaced secret has its own overlap. The list has the newest first. */
export async function rotateSecretRow(tx: PlatformTx, id: EndpointId, secret: Buffer): Promise<void> {
  await tx.run(ROTATE, [id, secret])
}

/** Expired secrets are at the end of the list and are cut off. */
const ERASE = platformStatement(
  'webhooks.erase_expired_secrets',
  `with valid as materialized (
     select id, (select count(*)::int from unnest(previous_secrets_until) as until where until > clock_timestamp()) as count
       from platform.webhook_endpoints where id = any($1))
   update platform.webhook_endpoints w
      set previous_secrets = w.previous_secrets[1:valid.count],
          previous_secrets_until = w.previous_secrets_until[1:valid.count]
     from valid where w.id = valid.id and cardinality(w.previous_secrets) > valid.count`,
)

/** The caller has locked the endpoints. */
export async function eraseExpired(tx: PlatformTx, ids: readonly EndpointId[]): Promise<void> {
  await tx.run(ERASE, [ids])
}

/** A removed endpoint never signs again, so it has an empty secret. */
const ERASE_ALL = platformStatement(
  'webhooks.erase_all_secrets',
  `update platform.webhook_endpoints set secret = '', previous_secrets = '{}', previous_secrets_until = '{}'
    where id = any($1)`,
)

/** The caller has locked the endpoints. */
export async function eraseAllSecrets(tx: PlatformTx, ids: readonly EndpointId[]): Promise<void> {
  await tx.run(ERASE_ALL, [ids])
}

/** Removed endpoints that still have a secret, because a release that did not erase secrets removed them. */
const LOCK_REMOVED = platformStatement<{ id: EndpointId }>(
  'webhooks.lock_removed_with_secret',
  `select id from platform.webhook_endpoints where state = 'removed' and secret <> ''
    order by id limit $1 for no key update skip locked`,
)

export async function lockRemovedWithSecret(tx: PlatformTx, limit: number): Promise<readonly EndpointId[]> {
  return (await tx.many(LOCK_REMOVED, [limit])).map(({ id }) => id)
}

export type PreviousSecrets = {
  readonly count: number
  /** When the oldest replaced secret expires; null if there is none. */
  readonly oldest_until: string | null
}

const PREVIOUS = platformStatement<PreviousSecrets>(
  'webhooks.previous_secrets',
  `select cardinality(previous_secrets) as count,
          previous_secrets_until[cardinality(previous_secrets_until)] as oldest_until
     from platform.webhook_endpoints where id = $1`,
)

export async function findPrevious(tx: PlatformTx, id: EndpointId): Promise<PreviousSecrets> {
  return tx.one(PREVIOUS, [id])
}

/** Skips locked endpoints, which are being rotated or removed. The next run checks them again. */
const LOCK_EXPIRED = platformStatement<{ id: EndpointId }>(
  'webhooks.lock_expired_secrets',
  `select id from platform.webhook_endpoints
    where cardinality(previous_secrets_until) > 0
      and previous_secrets_until[cardinality(previous_secrets_until)] <= clock_timestamp()
    limit $1 for no key update skip locked`,
)

export async function lockExpired(tx: PlatformTx, limit: number): Promise<readonly EndpointId[]> {
  return (await tx.many(LOCK_EXPIRED, [limit])).map(({ id }) => id)
}

export type ExpiringSecret = {
  readonly app: Id<'app'>
  readonly world: World
  readonly endpoint: EndpointId
  readonly url: string
  readonly expires_at: string
}

/**
 * Takes, for each endpoint, the replaced secret that ends next, if it ends within $1 hours. Also locks the app and the
 * organization that the notice refers to. Skips rows that another transaction has locked; the next round finds them.
 */
const TAKE_EXPIRING = platformStatement<ExpiringSecret>(
  'webhooks.take_expiring_secrets',
  `with due as materialized (
     select w.id, next.ends
       from platform.webhook_endpoints w
       join platform.apps a on a.id = w.app_id and a.state = 'active'
       join platform.organizations o on o.id = a.organization_id
      cross join lateral (
        select min(u) as ends from unnest(w.previous_secrets_until) as u
         where u > clock_timestamp() and u <= clock_timestamp() + make_interval(hours => $1)
           and u > coalesce(w.secret_noticed_until, '-infinity')) next
      where cardinality(w.previous_secrets_until) > 0 and w.state <> 'removed' and next.ends is not null
      limit $2 for key share of o, a skip locked for no key update of w skip locked)
   update platform.webhook_endpoints w set secret_noticed_until = due.ends
     from due where w.id = due.id
   returning w.app_id as app, w.world, w.id as endpoint, w.url, due.ends as expires_at`,
)

export async function takeExpiringSecrets(tx: PlatformTx, hours: number, limit: number): Promise<ExpiringSecret[]> {
  return tx.many(TAKE_EXPIRING, [hours, limit])
}
