import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { occasionAt } from '#test/caused-events.ts'
import { changeProfile, inviteMember } from '../index.ts'
import { type DirectoryStage, everyRow, openDirectoryStage, refusal } from '../testing/directory-stage.ts'

let stage: DirectoryStage
/** A syndicate with thousands of members. */
let syndicate: Awaited<ReturnType<DirectoryStage['syndicate']>>
beforeAll(async () => {
  stage = await openDirectoryStage()
  syndicate = await largeSyndicate()
})
afterAll(() => stage?.close())

const path = (id: string) => `/syndicates/${id}/members/export_csv`

/** With this number of members the export is larger than all buffers between the server and the client. */
const MANY = 3_000

async function largeSyndicate() {
  const made = await stage.syndicate()
  const tag = made.id.slice(4)
  await stage.db.sql(
    `insert into test.users (id, name, email)
     select 'usr_' || substr($1, 1, 16) || lpad(n::text, 8, '0'), 'Member ' || n, $1 || n || '@example.org'
       from generate_series(1, $2::int) n`,
    [tag, MANY],
  )
  await stage.db.sql(
    `insert into test.memberships (id, syndicate_id, user_id, status, joined_at, last_occurred_at, title, private_tags)
     select 'mem_' || substr($1, 1, 16) || lpad(n::text, 8, '0'), $2, 'usr_' || substr($1, 1, 16) || lpad(n::text, 8, '0'),
            'member', now(), now(), repeat('t', 200), array[repeat('x', 5000)]
       from generate_series(1, $3::int) n`,
    [tag, made.id, MANY],
  )
  return made
}

const idOf = (line: string) => line.split(',')[0]?.slice(1, -1)

/** The number of running exports. Only an export keeps a transaction open between two statements in this test. */
const openExports = async () =>
  (
    await stage.db.sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'portico test' and state like 'idle in transaction%'`,
    )
  )[0]?.count

describe('POST …/members/export_csv', () => {
  test('200: a file with the rows of the list, in the order of the list; cells that look like formulas are text', async () => {
    const { id, operator, full: invitedBy } = await stage.syndicate()
    const member = await stage.member(id, { profile: { name: '=HYPERLINK("http://evil")', email: '+1@example.org' } })
    await stage.arrange(async (tx) => {
      const changes = { title: 'Scout, "first"', private_tags: ['@all', 'two'], profile: { tags: ['law', 'tax'] } }
      await changeProfile(tx, { id: member, changes }, occasionAt())
      await inviteMember(tx, { syndicateId: id, email: 'i@example.org', invitedBy }, occasionAt())
    })
    const send = await stage.as(operator, ['read:syndicates'])
    const answer = await send('POST', path(id))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="members-${id}.csv"`)
    const [names = '', first = '', second = '', ...rest] = answer.text.split('\r\n')
    expect(names).toMatch(/^"id","user","name","email","legal_name","role","status","permission","title",/)
    expect(first).toContain(
      `,"'=HYPERLINK(""http://evil"")","'+1@example.org","","member","member","","Scout, ""first""","false","0","","0",` +
        `"","","","","law; tax","'@all; two",`,
    )
    expect(second).toContain(',"i@example.org","","invitee","",')
    expect(rest).toEqual([''])
    const listed = (await everyRow(send, `/syndicates/${id}/members?per_page=1`)).map((row) => row.id)
    expect([first, second].map(idOf)).toEqual(listed)
  })

  test('the export of an empty syndicate has only the names of the columns', async () => {
    const { id, operator } = await stage.syndicate()
    const { text } = await (await stage.as(operator))('POST', path(id))
    expect(text.split('\r\n')).toHaveLength(2)
  })

  test('an export of thousands of members has each member once, and is recorded in the manager’s activity', async () => {
    const { text } = await (await stage.as(syndicate.operator))('POST', path(syndicate.id))
    const ids = text.split('\r\n').slice(1, -1).map(idOf)
    expect([ids.length, new Set(ids).size]).toEqual([MANY, MANY])
    await stage.settled()
    expect(
      await stage.db.sql('select action, resource_id, status from test.activity_entries where user_id = $1', [
        syndicate.operator,
      ]),
    ).toEqual([{ action: 'syndicates.member.exported', resource_id: syndicate.id, status: 'success' }])
  })

  test('an export does not contain changes that were made during it', async () => {
    const { incoming } = await reading(syndicate)
    await stage.db.sql(`update test.memberships set title = 'Changed' where syndicate_id = $1`, [syndicate.id])
    let text = ''
    for await (const piece of incoming) text += String(piece)
    expect(text.split('\r\n')).toHaveLength(MANY + 2)
    expect(text).not.toContain('Changed')
  })

  test('an export pauses while the client does not read, and ends when the client disconnects', async () => {
    const { incoming, sent } = await reading(syndicate)
    // No more rows are read for the export while the client does not read the response.
    await expect.poll(openExports).toBe(1)
    expect(incoming.readableEnded).toBe(false)
    sent.destroy()
    await expect.poll(openExports).toBe(0)
  })

  test('a slow client blocks only other exports of its app and of the syndicate', async () => {
    const slow = await reading(syndicate)
    const [small, other] = [await stage.syndicate(), await stage.syndicate()]
    const own = await stage.as(small.operator)
    const installed = await stage.installedOn({ syndicate: syndicate.id })
    const answers = await Promise.all([own('POST', path(small.id)), installed('POST', path(syndicate.id))])
    for (const answer of answers) {
      expect([refusal(answer), answer.headers.get('retry-after')]).toEqual(['503 unavailable', '5'])
    }
    expect((await (await stage.installedOn({ syndicate: other.id }))('POST', path(other.id))).status).toBe(200)
    slow.sent.destroy()
    await expect.poll(openExports).toBe(0)
    // A request that waits too long in the queue gets 503. The test then sends it again.
    const untilTaken = () => expect.poll(async () => (await own('POST', path(small.id))).status).toBe(200)
    await Promise.all(Array.from({ length: 8 }, untilTaken))
  })

  test('every export is in the audit; an export by an app on the syndicate is in no person’s activity', async () => {
    const { id, operator } = await stage.syndicate()
    const app = await stage.installedOn({ syndicate: id, installedBy: operator })
    for (const send of [app, await stage.as(operator)]) expect((await send('POST', path(id))).status).toBe(200)
    const entries = await stage.db.sql(
      'select actor, action, details from platform.audit_entries where subject = $1 order by id',
      [id],
    )
    const details = { world: 'test', app: expect.stringMatching(/^app_/) }
    const action = 'syndicates.member.exported'
    expect(entries).toEqual([
      { actor: app.installation, action, details },
      { actor: operator, action, details },
    ])
    await stage.settled()
    const activity = await stage.db.sql('select action from test.activity_entries where user_id = $1', [operator])
    expect(activity).toEqual([{ action }])
  })
})

/** A request whose response has started and is not read. */
async function reading({
  id,
  operator,
}: {
  readonly id: string
  readonly operator: Parameters<DirectoryStage['as']>[0]
}) {
  const token = await stage.token(operator)
  const sent = request(stage.url + path(id), { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  sent.on('error', () => {})
  // Runs even if the test fails, because the export would block the exports of the next tests.
  onTestFinished(() => void sent.destroy())
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve)
  sent.end()
  return { sent, incoming: await promise }
}
