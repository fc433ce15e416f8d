import type { ClientId } from '#kernel/client-id.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import type { Client } from './client.ts'
import { enterGate } from './store.ts'

/** A client that tries to authenticate: who it says it is, and whether the secret it sent is one in force. */
export type Presented = Client & {
  readonly secretMatches: boolean
  /** Whether a live token of the app was ever issued, or need not be noted here. */
  readonly liveTokenNoted: boolean
}

const CLIENT = `
  k.id as "keyId", k.app_id as "appId", k.world, k.client_type as "clientType", k.redirect_uris as "redirectUris",
  k.state, k.scopes, k.api_version as "apiVersion", k.generation, a.revision::text as revision,
  a.pii_approved_at is not null as "piiApproved"`

/** Two rows by their primary keys, and a secret by its own: what every request to the token endpoint begins with. */
const FIND = shortStatement<{ readonly found: string | null }>(
  'apps.find_clients',
  `select json_object_agg(w.at, client) as found
     from rows from (json_to_recordset($1) as (id text, hash text)) with ordinality as w (id, hash, at)
    cross join lateral (
      select ${CLIENT},
             a.first_live_token_at is not null or k.world = 'test' as "liveTokenNoted",
             exists (select from platform.app_secrets s where s.key_id = k.id and s.hash = decode(w.hash, 'hex')
                        and (s.expires_at is null or s.expires_at > clock_timestamp())) as "secretMatches"
        from platform.app_keys k join platform.apps a on a.id = k.app_id
       where k.id = w.id and k.world = $2) client`,
)

type Asked = { readonly id: ClientId; readonly hash: string | null }

const findTogether = gathered<Asked, Presented | null>({ rowsMax: 64, statementsMax: 2 }, async (db, asked) => {
  const [answer] = await db.short(FIND, [JSON.stringify(asked), db.world])
  const found: Readonly<Record<number, Presented>> = JSON.parse(answer?.found ?? '{}')
  return asked.map((_, index) => found[index + 1] ?? null)
})

export function findClient(db: WorldDatabase, id: ClientId, secret: string | null): Promise<Presented | null> {
  return findTogether(db, { id, hash: secret === null ? null : hexDigestOf(secret) })
}

const ENTER = statement('apps.enter_gate', `select ${enterGate('k.app_id')} from platform.app_keys k where k.id = $1`)

/**
 * `for share`: nothing about the app changes until what is being issued is committed, and a change under way is waited
 * for. The first lock of every grant.
 */
const LOCK_APP = statement<{ id: string }>(
  'apps.lock_for_issuing',
  `select a.id from platform.apps a join platform.app_keys k on k.app_id = a.id where k.id = $1 for share of a`,
)

const READ = statement<Client>(
  'apps.read_client',
  `select ${CLIENT} from platform.app_keys k join platform.apps a on a.id = k.app_id where k.id = $1 and k.world = $2`,
)

/** Lock first, then look in a new statement, which sees what the wait was for. */
export async function lockClient(tx: Tx, id: ClientId): Promise<Client | null> {
  await tx.run(ENTER, [id])
  if ((await tx.maybeOne(LOCK_APP, [id])) === null) return null
  return tx.maybeOne(READ, [id, tx.world])
}
