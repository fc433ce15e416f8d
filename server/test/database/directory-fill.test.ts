import { Client } from 'pg'
import { expect, test } from 'vitest'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { emptyDatabase } from '#test/database.ts'

const SYNDICATE = 'syn_000000000000000000000001'
const MANY = 5_001

test('migration 32 adds existing members to the directory, and marks only the invitations of people who are not members as open', async () => {
  const url = await emptyDatabase()
  const all = await readMigrations(migrationsDirectory)
  const log = () => {}
  await migrate({ url, migrations: all.filter(({ number }) => number < 32), log })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      insert into test.syndicates (id, name, slug) values ('${SYNDICATE}', 'Old', 'old');
      insert into test.users (id, name, email, city, accreditation)
      select 'usr_' || lpad(n::text, 24, '0'), 'Émile ' || n, n || '@example.org', 'Köln', 'verified'
        from generate_series(1, ${MANY}) n;
      insert into test.memberships (id, syndicate_id, user_id, status, joined_at, last_occurred_at, profile)
      select 'mem_' || lpad(n::text, 24, '0'), '${SYNDICATE}', 'usr_' || lpad(n::text, 24, '0'), 'member', now(), now(),
             '{"tags": ["Hôtels"]}'
        from generate_series(1, ${MANY}) n;
      insert into test.syndicate_invitations (syndicate_id, email, user_id, invited_by, invited_at, last_invited_at)
      values ('${SYNDICATE}', '1@example.org', null, 'usr_000000000000000000000002', now(), now()),
             ('${SYNDICATE}', 'open@example.org', 'usr_000000000000000000000003', 'usr_000000000000000000000002', now(), now()),
             ('${SYNDICATE}', 'nobody@example.org', null, 'usr_000000000000000000000002', now(), now())`)
    await migrate({ url, migrations: all, log })
    const { rows } = await client.query(`
      select count(*)::int as members, bool_and(directory_key like 'emile %' and accredited) as people,
             bool_and(directory_place like 'koln%' and directory_tags like '%hotels%') as entries
        from test.memberships`)
    expect(rows).toEqual([{ members: MANY, people: true, entries: true }])
    const invitations = await client.query('select email, open from test.syndicate_invitations order by email')
    expect(invitations.rows).toEqual([
      { email: '1@example.org', open: false },
      { email: 'nobody@example.org', open: true },
      { email: 'open@example.org', open: false },
    ])
  } finally {
    await client.end()
  }
})
