import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { anApp } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'

/** The database's own rules for invite links: each invalid row is rejected by a named constraint. */

let db: TestDatabase
let place: Readonly<Record<string, unknown>>
let user: string
beforeAll(async () => {
  db = await testDatabase()
  const app = await anApp(db)
  const installation_id = newId('installation')
  const offering_id = await db.databases.test.transaction((tx) => makeOffering(tx))
  user = await db.databases.test.transaction((tx) => makeUser(tx))
  await db.sql(
    `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
     select $1, $2, 'company', company_id, 'founder', '{}', 'founder' from test.offerings where id = $3`,
    [installation_id, app, offering_id],
  )
  place = { offering_id, installation_id }
})
afterAll(() => db.close())

async function refusedBy(row: Readonly<Record<string, unknown>>): Promise<string> {
  const whole: Record<string, unknown> = { id: newId('inviteLink'), per_person: false, ...place, ...row }
  const names = Object.keys(whole)
  const text = `insert into test.invite_links (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`
  return db.sql(text, Object.values(whole)).then(
    () => 'taken',
    (error: { constraint?: string }) => error.constraint ?? 'no constraint rejected the row',
  )
}

test('a link for many people, for an email address and for a user is accepted', async () => {
  expect(await refusedBy({ max_uses: 3, allocation_cents: 500 })).toBe('taken')
  expect(await refusedBy({ per_person: true, email: 'ada@example.org', first_name: 'Ada', message: 'Hello' })).toBe(
    'taken',
  )
  expect(await refusedBy({ per_person: true, user_id: user })).toBe('taken')
})

test('a link for many people that names a person, and a link that names a person twice, are rejected', async () => {
  const only = 'invite_links_recipient_only_per_person'
  expect(await refusedBy({ email: 'ada@example.org' })).toBe(only)
  expect(await refusedBy({ message: 'Hello' })).toBe(only)
  expect(await refusedBy({ declined_at: '2026-01-01' })).toBe(only)
  expect(await refusedBy({ per_person: true, email: 'a@example.org', user_id: user })).toBe(
    'invite_links_one_recipient',
  )
  expect(await refusedBy({ per_person: true, email: 'nobody' })).toBe('invite_links_email_form')
})

test('max_uses of a person’s link, a fraction of a unit, a due mail without its origin or kind, and a malformed id are rejected', async () => {
  expect(await refusedBy({ per_person: true, email: 'a@example.org', max_uses: 1 })).toBe(
    'invite_links_max_uses_reusable',
  )
  expect(await refusedBy({ max_uses: 0 })).toBe('invite_links_max_uses_reusable')
  expect(await refusedBy({ allocation_cents: 150 })).toBe('invite_links_allocation_whole_units')
  const due = { per_person: true, email: 'a@example.org', mail_due_at: '2026-01-01' }
  expect(await refusedBy(due)).toBe('invite_links_mail_addressed')
  const from = { mail_origin: 'https://us.example', mail_kind: 'send' }
  expect(await refusedBy({ ...due, ...from, mail_kind: null })).toBe('invite_links_mail_addressed')
  expect(await refusedBy({ ...due, ...from, mail_kind: 'x' })).toBe('invite_links_mail_kind_known')
  expect(await refusedBy({ ...due, ...from, mail_origin: 'ftp://x' })).toBe('invite_links_mail_origin_form')
  expect(await refusedBy({ id: 'il_1' })).toBe('invite_links_id_form')
  expect(await refusedBy({ offering_id: newId('offering') })).toBe('invite_links_offering_fkey')
})

test('an investment belongs to only one link', async () => {
  const [constraint] = await db.sql<{ columns: string }>(
    `select pg_get_constraintdef(oid) as columns from pg_constraint
      where conname = 'invite_link_uses_pkey' and connamespace = 'test'::regnamespace`,
  )
  expect(constraint?.columns).toBe('PRIMARY KEY (investment_id)')
})
