import { enterGate, type Presented, tryGate } from '#access/apps/index.ts'
import { PUBLIC_SCOPE, withoutPublic } from '#access/scopes/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered-statements.ts'
import { statement } from '#system/postgres/statement.ts'
import { LIFETIME_SECONDS } from './issued-token.ts'

type ClientTokenRow = {
  readonly hexHash: string
  readonly client: Presented
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

/**
 * Issues client-credentials tokens for many requests in one statement, which commits by itself. Apps that another transaction
 * is changing are skipped (a closed gate, a locked row), so that no request waits for another app's change; ISSUE_CLIENT serves
 * those. `for share` reads the newest version of the row and compares its revision again.
 */
const ISSUE_CLIENTS = statement<{ readonly issued: string | null }>(
  'tokens.issue_clients',
  `with asked as materialized (
     select hash, key_id, app_id, scopes, by_default, echo_public, generation, revision
       from json_to_recordset($1) as (hash text, key_id text, app_id text, scopes text[], by_default boolean,
                                      echo_public boolean, generation integer, revision bigint)
   ), entered as materialized (
     select app_id from (select distinct app_id from asked) app where ${tryGate('app_id')}
   ), issued as (
     insert into access_tokens (hash, kind, key_id, app_id, scopes, by_default, echo_public, generation, expires_at)
     select decode(w.hash, 'hex'), 'client', w.key_id, a.id, w.scopes, w.by_default, w.echo_public, w.generation,
            clock_timestamp() + c.ahead + make_interval(secs => $2)
       from entered e
       join platform.apps a on a.id = e.app_id
       join asked w on w.app_id = a.id and w.revision = a.revision
      cross join world_clock c
      where a.state = 'active'
        for share of a skip locked
     returning hash, created_at
   )
   select json_object_agg(encode(hash, 'hex'), floor(extract(epoch from created_at))) as issued from issued`,
)

const LIMITS = { rowsMax: 64, statementsMax: 2 }

/** The creation time in Unix seconds; null if the app has changed since the client was looked up. */
export const issueUnchanged = gathered<ClientTokenRow, number | null>(LIMITS, async (db, rows) => {
  const requests = rows.map(({ hexHash, client, scopes, byDefault }) => ({
    hash: hexHash,
    key_id: client.keyId,
    app_id: client.appId,
    scopes: withoutPublic(scopes),
    by_default: byDefault,
    echo_public: scopes.includes(PUBLIC_SCOPE),
    generation: client.generation,
    revision: client.revision,
  }))
  const answer = await db.reads.one(ISSUE_CLIENTS, [JSON.stringify(requests), LIFETIME_SECONDS.client])
  const issued: Readonly<Record<string, number>> = JSON.parse(answer.issued ?? '{}')
  return rows.map((row) => issued[row.hexHash] ?? issueInTurn(db, row))
})

/**
 * Like ISSUE_CLIENTS, for one request whose app is being changed or has changed: it waits at the app's gate for the change. If
 * the revision differs afterwards, it writes no row, because the caller's checks no longer hold. It does not run on the shared
 * connection: the wait would block every other request there.
 */
const ISSUE_CLIENT = statement<{ readonly createdAt: number }>(
  'tokens.issue_client',
  `insert into access_tokens (hash, kind, key_id, app_id, scopes, by_default, generation, expires_at, echo_public)
   select decode($1, 'hex'), 'client', $2, a.id, $3, $4, $5, clock_timestamp() + c.ahead + make_interval(secs => $6), $9
     from (select ${enterGate('$7')} offset 0) entered cross join platform.apps a cross join world_clock c
    where a.id = $7 and a.revision = $8 and a.state = 'active'
      for share of a
   returning floor(extract(epoch from created_at))::float8 as "createdAt"`,
)

async function issueInTurn(db: WorldDatabase, row: ClientTokenRow): Promise<number | null> {
  const { hexHash, scopes, byDefault } = row
  const { keyId, appId, generation, revision } = row.client
  const issued = await db.reads.maybeOne(ISSUE_CLIENT, [
    ...[hexHash, keyId, withoutPublic(scopes), byDefault, generation],
    ...[LIFETIME_SECONDS.client, appId, revision, scopes.includes(PUBLIC_SCOPE)],
  ])
  return issued?.createdAt ?? null
}
