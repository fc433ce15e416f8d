import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { countErasures, purgeRefused, recordRefused } from '#intake/refused/index.ts'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { occasionAt } from '#test/caused-events.ts'
import { FACT_GROUPS } from './fact-types.ts'
import { forgetUser } from './forget-user.ts'
import { serveFeed } from './testing/feed.ts'

/** A small daily limit that a test can reach. */
const LIMIT = { facts: 12, bytes: 8_000 }

const feed = serveFeed(
  FACT_GROUPS.flatMap(({ facts }) => facts),
  { refusedLimit: LIMIT },
)

beforeEach(async () => {
  await feed().db.sql('truncate test.refused_facts, test.refused_fact_days')
})

type Refused = {
  readonly id: string
  readonly attributes: {
    readonly fact_id: string | null
    readonly type: string | null
    readonly error: { readonly type: string; readonly field?: string; readonly code?: string; readonly message: string }
    readonly times: number
    readonly status: string
    readonly dismissed_at: string | null
    readonly fact?: unknown
  }
}

async function ask(method: string, path: string, { body, world = 'test' }: { body?: unknown; world?: World } = {}) {
  const response = await fetch(feed().app.url + path, {
    method,
    headers: { authorization: `Bearer ok_${world}_key`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data: unknown; meta: Record<string, unknown>; error?: { type: string } }
  return { status: response.status, ...answer }
}

const PATH = '/platform/refused_facts'
const list = async (query: Record<string, string> = {}, world: World = 'test') =>
  (await ask('GET', `${PATH}?${new URLSearchParams(query)}`, { world })).data as Refused[]
const one = async (id: string) => (await ask('GET', `${PATH}/${id}`)).data as Refused
const onlyOne = async (query: Record<string, string>) => {
  const found = await list(query)
  expect(found).toHaveLength(1)
  return found[0] as Refused
}
const leftOut = async () => (await ask('GET', PATH)).meta['left_out']
const stored = async () =>
  JSON.stringify(await feed().db.sql('select fact_id, type, subjects, body, error from test.refused_facts'))

const HOLD = statement<{ id: string }>('t.hold_user_of_refused', 'select id from users where id = $1 for update')

let count = 0
const fact = (type: string, data: object, id = `refused-${++count}-${randomUUID()}`) => ({
  ...{ id, type, occurred_at: '2026-01-15T12:00:00Z', data },
})
const aPerson = () => {
  const id = newId('user')
  return { id, name: 'Ada Lovelace', email: `${id}@Example.org` }
}
/** A fact that is refused until the company exists. */
const anOffering = (company: string) => {
  const data = { id: newId('offering'), company, raise: newId('raise'), currency: 'usd', exemption: 'reg_cf' }
  return fact('offering.created', {
    ...data,
    security: { type: 'safe', terms: { valuation_cap: '8000000' } },
    listed: true,
  })
}
const aCompany = (id: string) =>
  fact('company.created', { id, name: 'Acme', page_url: 'https://platform.example.org/acme' })

describe('a refused fact', () => {
  test('a refused fact is stored with its error, and is found by its id, subject, address, type and time', async () => {
    const person = aPerson()
    const sent = fact('user.registered', { ...person, accreditation: 'rich' })
    expect(await feed().send([sent])).toMatchObject([{ status: 'refused' }])
    const found = await onlyOne({ fact_id: sent.id })
    expect(found.attributes).toMatchObject({ fact_id: sent.id, type: 'user.registered', times: 1, status: 'refused' })
    expect(found.attributes.error).toMatchObject({ type: 'invalid_fact', field: 'data.accreditation' })
    expect(found.attributes).not.toHaveProperty('fact')
    expect((await one(found.id)).attributes.fact).toEqual(sent)
    const before = new Date(Date.now() - 60_000).toISOString()
    for (const query of [
      { subject: person.id },
      { subject: person.email },
      { subject: person.email.toLowerCase() },
      { type: 'user.registered', since: before },
    ]) {
      expect((await onlyOne(query)).id).toBe(found.id)
    }
    for (const query of [{ subject: newId('user') }, { type: 'user.updated' }, { until: before }]) {
      expect(await list(query)).toEqual([])
    }
  })

  test('a fact that is refused several times is one row with the newest error; a fact without a readable id is stored, too', async () => {
    const { id, ...rest } = fact('user.registered', { ...aPerson(), name: '' })
    await feed().send([
      { id, ...rest },
      { id, ...rest },
    ])
    await feed().send([{ id, ...rest, type: 'user.regisered' }])
    const found = await onlyOne({ fact_id: id })
    expect(found.attributes).toMatchObject({ times: 3, error: { code: 'unknown_type' } })
    await feed().send([{ ...rest, id: 'a b' }, null, 'text', 7])
    expect((await list()).map(({ attributes }) => attributes.fact_id)).toEqual([null, null, null, null, id])
    expect((await Promise.all((await list()).map((row) => one(row.id)))).map((row) => row.attributes.fact)).toContain(
      'text',
    )
  })

  test('a fact that is nested too deeply, or contains half of a surrogate pair, is stored, and the other facts are applied', async () => {
    const halfPair = fact('user.registered', { ...aPerson(), email: 'ada\ud800@example.org' })
    const valid = aCompany(newId('company'))
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const body = `[${JSON.stringify(halfPair)}, {"id":"deep-1","data":${deep}}, ${deep}, ${JSON.stringify(valid)}]`
    const response = await feed().post(body)
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { status: string }[] }
    expect(data.map(({ status }) => status)).toEqual(['refused', 'refused', 'refused', 'applied'])
    const facts = await Promise.all((await list()).map(async ({ id }) => (await one(id)).attributes.fact))
    expect(facts).toEqual(expect.arrayContaining([halfPair, null, null]))
    expect(facts).toHaveLength(3)
  })

  test('the list has neither refused facts of the other world nor applied facts', async () => {
    const sent = anOffering(newId('company'))
    await feed().send([sent, aCompany(newId('company'))])
    expect(await list()).toHaveLength(1)
    expect(await list({}, 'live')).toEqual([])
    const { id } = await onlyOne({ fact_id: sent.id })
    expect((await ask('GET', `${PATH}/${id}`, { world: 'live' })).status).toBe(404)
    for (const unknown of ['0', '-1', 'x', '99999999999999999999']) {
      expect((await ask('GET', `${PATH}/${unknown}`)).status).toBe(404)
    }
  })

  test('the log of a 404 does not contain the id that was asked for', async () => {
    const headers = { authorization: 'Bearer ok_test_key' }
    const response = await fetch(`${feed().app.url}${PATH}/ada@example.org`, { headers })
    expect(response.status).toBe(404)
    const { app } = feed()
    await expect.poll(() => app.logLines.join()).toContain(response.headers.get('x-request-id'))
    expect(app.logLines.join()).not.toContain('ada@example.org')
  })

  test('a refused fact that was applied later has the status applied', async () => {
    const company = newId('company')
    const sent = anOffering(company)
    await feed().send([sent])
    await feed().send([aCompany(company), sent])
    expect((await onlyOne({ fact_id: sent.id })).attributes.status).toBe('applied')
    // A fact with a reused id can never be applied, so it stays refused although a fact with this id was applied.
    const reused = { ...aCompany(newId('company')), id: sent.id }
    await feed().send([reused])
    expect((await onlyOne({ fact_id: sent.id })).attributes).toMatchObject({
      status: 'refused',
      error: { code: 'id_reused' },
    })
  })

  test('the list returns refused facts page by page, newest first, each once', async () => {
    for (let made = 0; made < 5; made++) await feed().send([anOffering(newId('company'))])
    const listed: string[] = []
    let cursor = ''
    do {
      const { data, meta } = await ask('GET', `${PATH}?per_page=2&cursor=${cursor}`)
      listed.push(...(data as Refused[]).map(({ id }) => id))
      cursor = String(meta['next_cursor'] ?? '')
    } while (cursor !== '')
    expect(listed).toEqual((await list({ per_page: '100' })).map(({ id }) => id))
    expect(listed).toHaveLength(5)
  })
})

describe('POST /platform/refused_facts/{id}/send', () => {
  const sendAgain = async (id: string, body?: unknown) => ask('POST', `${PATH}/${id}/send`, { body })

  test('sends a fact again: after the cause of the refusal was fixed, the fact is applied and leaves the list', async () => {
    const company = newId('company')
    const sent = anOffering(company)
    await feed().send([sent])
    const { id } = await onlyOne({ fact_id: sent.id })
    expect((await sendAgain(id)).data).toMatchObject({ status: 'refused', error: { type: 'unknown_reference' } })
    expect((await onlyOne({ fact_id: sent.id })).attributes.times).toBe(2)
    await feed().send([aCompany(company)])
    expect((await sendAgain(id)).data).toMatchObject({ id: sent.id, status: 'applied' })
    expect(await list()).toEqual([])
    expect((await feed().get(sent.id)).status).toBe(200)
    expect((await sendAgain(id)).status).toBe(404)
    const entries = await feed().db.sql(
      `select action, reason, by_operator, details ->> 'outcome' as outcome from platform.audit_entries
        where subject = $1 and action = 'fact.sent_again' order by id`,
      [sent.id],
    )
    const entry = { action: 'fact.sent_again', reason: 'A test', by_operator: true }
    expect(entries).toEqual([
      { ...entry, outcome: 'refused' },
      { ...entry, outcome: 'applied' },
    ])
  })

  test('applies a corrected fact; its id must be the same, unless the refused fact had no readable id', async () => {
    const sent = fact('user.registered', { ...aPerson(), name: '' })
    await feed().send([sent])
    const { id } = await onlyOne({ fact_id: sent.id })
    const corrected = { ...sent, data: { ...sent.data, name: 'Ada' } }
    expect((await sendAgain(id, { fact: { ...corrected, id: 'another' } })).status).toBe(422)
    expect((await sendAgain(id, { fact: corrected })).data).toMatchObject({ status: 'applied' })
    await feed().send([{ ...fact('user.registered', aPerson()), id: 'a b' }])
    const withoutId = await onlyOne({})
    const valid = fact('user.registered', aPerson())
    expect((await sendAgain(withoutId.id, { fact: valid })).data).toMatchObject({ id: valid.id, status: 'applied' })
    expect(await list()).toEqual([])
  })
})

describe('POST /platform/refused_facts/{id}/dismiss', () => {
  const dismiss = (id: string, world: World = 'test') => ask('POST', `${PATH}/${id}/dismiss`, { world })
  const entriesOf = (subject: string) =>
    feed().db.sql(
      `select reason, by_operator, details from platform.audit_entries where subject = $1 and action = 'fact.dismissed'`,
      [subject],
    )
  /** A refused fact that can never be applied, because another fact with its id was applied. */
  const reused = async () => {
    const company = aCompany(newId('company'))
    const sent = { ...aCompany(newId('company')), id: company.id }
    await feed().send([company, sent])
    return { sent, ...(await onlyOne({ fact_id: sent.id })) }
  }

  test('removes a fact with a reused id from the list; it is listed as dismissed, and the audit has the reason', async () => {
    const { id, sent, attributes } = await reused()
    expect(attributes).toMatchObject({ error: { code: 'id_reused' }, dismissed_at: null })
    const answer = await dismiss(id)
    expect(answer).toMatchObject({ status: 200, data: { id, attributes: { fact_id: sent.id, status: 'dismissed' } } })
    expect(await list()).toEqual([])
    const [shown, ...others] = await list({ dismissed: 'true' })
    expect([shown?.id, others]).toEqual([id, []])
    expect(await one(id)).toMatchObject({ attributes: { status: 'dismissed', fact: sent } })
    const details = { mode: 'test', refused: id, type: 'company.created' }
    expect(await entriesOf(sent.id)).toEqual([{ reason: 'A test', by_operator: true, details }])
  })

  test('ten concurrent requests, and a later one, dismiss the fact once and add one audit entry', async () => {
    const { id, sent } = await reused()
    const answers = await Promise.all(Array.from({ length: 10 }, () => dismiss(id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { dismissed_at } = (await one(id)).attributes
    expect(await dismiss(id)).toMatchObject({ status: 200, data: { attributes: { dismissed_at } } })
    expect(await entriesOf(sent.id)).toHaveLength(1)
  })

  test('404 for an unknown refused fact, and for one of the other world', async () => {
    const { id, sent } = await reused()
    for (const unknown of ['0', 'x', '99999999999999999999']) expect((await dismiss(unknown)).status).toBe(404)
    expect((await dismiss(id, 'live')).status).toBe(404)
    expect((await list()).map((each) => each.id)).toEqual([id])
    expect(await entriesOf(sent.id)).toEqual([])
  })

  test('a fact stays dismissed while the feed repeats it; another fact with its id is not dismissed', async () => {
    const { id, sent } = await reused()
    await dismiss(id)
    await feed().send([sent])
    expect(await list()).toEqual([])
    expect((await one(id)).attributes.times).toBe(2)
    await feed().send([{ ...sent, data: { ...sent.data, name: 'Another' } }])
    expect((await onlyOne({})).attributes).toMatchObject({ status: 'refused', dismissed_at: null })
  })

  test('a dismissed fact can be sent again, and is removed when it is applied', async () => {
    const company = newId('company')
    const sent = anOffering(company)
    await feed().send([sent])
    const { id } = await onlyOne({ fact_id: sent.id })
    await dismiss(id)
    await feed().send([aCompany(company)])
    expect((await ask('POST', `${PATH}/${id}/send`)).data).toMatchObject({ status: 'applied' })
    expect(await list({ dismissed: 'true' })).toEqual([])
  })

  test('a dismissed fact is erased with its person, by id and by address, and so is the reason in the audit', async () => {
    const person = aPerson()
    await feed().send([fact('user.registered', person)])
    const byId = fact('user.updated', { id: person.id, name: '' })
    const byAddress = fact('investment_session.created', { id: newId('investmentSession'), email: person.email })
    await feed().send([byId, byAddress])
    for (const { id } of await list()) await dismiss(id)
    await feed().send([fact('user.deactivated', { id: person.id })])
    expect(await list({ dismissed: 'true' })).toEqual([])
    expect(await stored()).not.toMatch(/Example\.org/i)
    expect(await entriesOf(byId.id)).toMatchObject([{ reason: null, details: { people: [person.id] } }])
  })
})

describe('personal data in refused facts', () => {
  test('refused facts are erased with their person, by id, current and former address; facts of other people stay', async () => {
    const person = aPerson()
    const former = `${newId('user')}@former.example`
    await feed().send([fact('user.registered', { ...person, email: former })])
    await feed().send([fact('user.updated', { id: person.id, email: person.email })])
    const other = fact('user.updated', { id: newId('user'), name: 'Grace Hopper' })
    await feed().send([
      fact('user.updated', { id: person.id, name: '' }),
      fact('investment_session.created', { id: newId('investmentSession'), email: former }),
      fact('investment_session.created', { id: newId('investmentSession'), email: person.email.toUpperCase() }),
      other,
    ])
    expect(await list()).toHaveLength(4)
    const report = fact('user.deactivated', { id: person.id })
    expect(await feed().send([report])).toMatchObject([{ status: 'applied' }])
    expect((await onlyOne({})).attributes.fact_id).toBe(other.id)
    expect(await stored()).not.toContain(person.id)
  })

  test('a refused fact is found and erased by an address inside a longer text or in the name of a field', async () => {
    const person = { ...aPerson(), email: `o'neil.${newId('user')}@Example.org` }
    await feed().send([fact('user.registered', person)])
    const session = (email: string) =>
      fact('investment_session.created', { id: newId('investmentSession'), email, expires_at: 'soon' })
    await feed().send([
      session(` ${person.email}\t`),
      session(`Ada Lovelace <${person.email}>`),
      session(`mailto:${person.email}`),
      fact('company.updated', { id: newId('company'), about: `${'Ask us. '.repeat(60)}Write to ${person.email}.` }),
      fact('company.updated', { id: newId('company'), about: `Ask ${person.id}, please`, name: '' }),
      fact('company.updated', { id: newId('company'), [person.email]: true }),
    ])
    expect(await list({ subject: person.email })).toHaveLength(5)
    expect(await list({ subject: person.id })).toHaveLength(1)
    await feed().send([fact('user.deactivated', { id: person.id })])
    expect(await list()).toEqual([])
  })

  test('a refused fact about an erased person is stored without its data', async () => {
    const person = aPerson()
    await feed().send([fact('user.registered', person), fact('user.deactivated', { id: person.id })])
    const late = fact('user.updated', { id: person.id, name: 'Ada King', email: 'ada.king@example.org' })
    await feed().send([late])
    const { id, attributes } = await onlyOne({ fact_id: late.id })
    expect(attributes.error.message).toBe('The fact is about a person who was erased.')
    await feed().send([fact('user.updated', { id: person.id, 'ada.king@example.org': 1 })])
    expect((await one(id)).attributes.fact).toBeNull()
    expect(await stored()).not.toMatch(/King|ada\.king/)
    expect((await ask('POST', `${PATH}/${id}/send`)).error).toMatchObject({ type: 'illegal_transition' })
  })

  test('refused facts about a person who is unknown here are erased when the platform reports that the person left', async () => {
    const person = aPerson()
    const registered = fact('user.registered', { ...person, accreditation: 'rich' })
    const report = fact('user.deactivated', { id: person.id })
    await feed().send([registered])
    expect(await stored()).toContain('Ada Lovelace')
    expect(await feed().send([report])).toMatchObject([{ status: 'refused' }])
    await feed().send([fact('user.updated', { id: person.id, name: 'Ada King' })])
    expect(await stored()).not.toMatch(/Ada|Example\.org/i)
    expect((await list()).map(({ attributes }) => attributes.type)).toEqual(['user.updated', 'user.deactivated'])
  })

  test('a repeated report that an unknown person left stays one row with its id, and stays dismissed', async () => {
    const report = fact('user.deactivated', { id: newId('user') })
    await feed().send([report])
    const { id } = await onlyOne({ fact_id: report.id })
    await ask('POST', `${PATH}/${id}/dismiss`)
    await feed().send([report])
    expect(await list()).toEqual([])
    expect((await one(id)).attributes).toMatchObject({ times: 2, status: 'dismissed' })
  })

  test('a second report that the same unknown person left does not delete the first', async () => {
    const user = newId('user')
    const [first, second] = [fact('user.deactivated', { id: user }), fact('user.deactivated', { id: user })]
    await feed().send([first])
    await feed().send([second])
    expect((await list()).map(({ attributes }) => attributes.fact_id)).toEqual([second.id, first.id])
  })

  test('a report without a readable user id is stored once, with its own error and data, beside a report with one', async () => {
    const unreadable = fact('user.deactivated', { id: 'nobody' })
    const report = fact('user.deactivated', { id: newId('user') })
    await feed().send([unreadable, report])
    const { id, attributes } = await onlyOne({ fact_id: unreadable.id })
    expect(attributes).toMatchObject({ times: 1, error: { type: 'invalid_fact', field: 'data.id' } })
    expect(attributes.error.message).not.toContain('erased')
    expect((await one(id)).attributes.fact).toEqual(unreadable)
    expect((await onlyOne({ fact_id: report.id })).attributes).toMatchObject({
      times: 1,
      error: { message: 'The fact is about a person who was erased.' },
    })
  })

  test('a refusal that is recorded during the person’s erasure is stored without personal data', async () => {
    const person = aPerson()
    await feed().send([fact('user.registered', person)])
    const sends = Array.from({ length: 5 }, () =>
      feed().send([fact('user.updated', { id: person.id, name: '', bio: 'Secret' })]),
    )
    await Promise.all([...sends, feed().send([fact('user.deactivated', { id: person.id })])])
    expect(await stored()).not.toContain('Secret')
  })

  const session = (email: string) => {
    const data = { id: newId('investmentSession'), email, expires_at: 'soon' }
    return fact('investment_session.created', data)
  }

  /** Runs `work` in a transaction, then `during`, and then commits. */
  async function duringTransaction(work: (tx: Tx) => Promise<unknown>, during: () => Promise<void>) {
    const [done, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const open = feed().db.databases.test.transaction(async (tx) => {
      await work(tx)
      done.resolve()
      await mayEnd.promise
    })
    await done.promise
    await during()
    mayEnd.resolve()
    await open
  }
  const registered = async () => {
    // The address must not contain the person's id: otherwise the erasure would also find the fact by that id.
    const person = { ...aPerson(), email: `${randomUUID()}@Example.org` }
    await feed().send([fact('user.registered', person)])
    return person
  }

  test('a fact with an address but without a user id is stored without data if a later fact of the request erases the person', async () => {
    const person = await registered()
    const refused = session(person.email)
    const outcomes = await feed().send([refused, fact('user.deactivated', { id: person.id })])
    expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'applied'])
    const { attributes } = await onlyOne({ fact_id: refused.id })
    expect(attributes.error.message).toMatch(/^The fact names an email address, and a person was erased/)
    expect(await stored()).not.toMatch(/example\.org/i)
  })

  test('a fact with an address but without a user id is stored without data if the person is erased while the request is applied', async () => {
    const [person, other] = [await registered(), await registered()]
    let sending: Promise<unknown> = Promise.resolve()
    await duringTransaction(
      (tx) => tx.maybeOne(HOLD, [other.id]),
      async () => {
        sending = feed().send([session(person.email), fact('user.updated', { id: other.id, name: 'Grace' })])
        await feed().db.untilTransactionWaits()
        await feed().send([fact('user.deactivated', { id: person.id })])
      },
    )
    await sending
    expect(await list()).toHaveLength(1)
    expect(await stored()).not.toMatch(/example\.org/i)
  })

  test('recording a fact with an address but without a user id waits for a concurrent erasure, and then stores the fact without data', async () => {
    const person = await registered()
    let sending: Promise<unknown> = Promise.resolve()
    await duringTransaction(
      (tx) => forgetUser(tx, person.id, occasionAt()),
      async () => {
        sending = feed().send([session(person.email)])
        await feed().db.untilTransactionWaits()
      },
    )
    await sending
    expect(await list()).toHaveLength(1)
    expect(await stored()).not.toMatch(/example\.org/i)
  })

  test('an erasure waits while a fact with an address but without a user id is recorded, and then erases that fact', async () => {
    const person = await registered()
    const { test: world } = feed().db.databases
    const [recorded, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const refused = { sent: session(person.email), id: 'held', error: { type: 'invalid_fact', message: 'No.' } }
    const extraWork = async () => {
      recorded.resolve()
      await mayEnd.promise
    }
    const recording = recordRefused(world, [refused], { erasures: await countErasures(world), extraWork })
    await recorded.promise
    const erasing = feed().send([fact('user.deactivated', { id: person.id })])
    await feed().db.untilTransactionWaits()
    mayEnd.resolve()
    await Promise.all([recording, erasing])
    expect(await list()).toEqual([])
    expect(await stored()).not.toMatch(/example\.org/i)
  })

  test('a fact with an address but without a user id is stored if it is sent after the erasure, because the address then has no owner', async () => {
    const person = await registered()
    await feed().send([fact('user.deactivated', { id: person.id })])
    await feed().send([session(person.email)])
    expect((await one((await onlyOne({})).id)).attributes.fact).toMatchObject({ data: { email: person.email } })
  })

  test('refused facts are deleted 30 days after the last refusal, in batches, by real time', async () => {
    await feed().db.sql(`update test.world_clock set ahead = '8760 hours'`)
    onTestFinished(async () => void (await feed().db.sql(`update test.world_clock set ahead = '0'`)))
    for (let made = 0; made < 3; made++) await feed().send([anOffering(newId('company'))])
    const purge = (limit: number) => feed().db.databases.test.transaction((tx) => purgeRefused(tx, limit))
    expect(await purge(10)).toBe(0)
    await feed().db.sql(
      `update test.refused_facts set refused_at = now() - interval '30 days 1 second'
        where id in (select id from test.refused_facts order by id limit 2)`,
    )
    expect([await purge(1), await purge(1), await purge(1)]).toEqual([1, 1, 0])
    expect(await list()).toHaveLength(1)
  })
})

describe('the daily limit of refused facts', () => {
  test('facts over the limit are only counted, and facts that are already stored are still updated', async () => {
    const facts = Array.from({ length: 20 }, () => anOffering(newId('company')))
    await feed().send(facts.slice(0, 10))
    await feed().send(facts)
    expect(await list({ per_page: '100' })).toHaveLength(LIMIT.facts)
    expect(await leftOut()).toBe(20 - LIMIT.facts)
    await feed().send(facts.slice(0, 3))
    expect((await onlyOne({ fact_id: facts[0]?.id ?? '' })).attributes.times).toBe(3)
    expect(await leftOut()).toBe(20 - LIMIT.facts)
  })

  test('a report that a person left erases their refused facts even after the limit is reached', async () => {
    const person = aPerson()
    await feed().send([fact('user.registered', { ...person, accreditation: 'rich' })])
    await feed().send(Array.from({ length: LIMIT.facts }, () => anOffering(newId('company'))))
    expect(await leftOut()).toBe(1)
    expect(await feed().send([fact('user.deactivated', { id: person.id })])).toMatchObject([{ status: 'refused' }])
    expect(await stored()).not.toContain('Ada Lovelace')
    expect(await list({ type: 'user.deactivated' })).toEqual([])
  })

  test('the limit of bytes counts new facts, and facts that are sent again with more data', async () => {
    const long = (id: string, length: number) =>
      fact('user.updated', { id: newId('user'), bio: 'x'.repeat(length) }, id)
    await feed().send([long('long-1', 3_000), long('long-2', 3_000), long('long-3', 3_000)])
    expect((await list()).map(({ attributes }) => attributes.fact_id).toSorted()).toEqual(['long-1', 'long-2'])
    await feed().send([long('long-1', 7_000)])
    const [{ bytes } = { bytes: 0 }] = await feed().db.sql<{ bytes: number }>(
      'select sum(octet_length(body))::int as bytes from test.refused_facts',
    )
    expect(bytes).toBeLessThanOrEqual(LIMIT.bytes)
    expect(await leftOut()).toBe(2)
  })

  test('a fact that is too large, or names too many people, is stored without its data', async () => {
    const users = Array.from({ length: 60 }, () => newId('user'))
    await feed().send([
      fact('user.updated', { id: newId('user'), bio: 'Secret'.repeat(20_000) }),
      fact('user.updated', { id: newId('user'), also: users, name: 'Secret' }),
    ])
    expect(await list()).toHaveLength(2)
    for (const { id } of await list()) expect((await one(id)).attributes.fact).toBeNull()
    expect(await stored()).not.toContain('Secret')
  })

  test('ten concurrent requests store exactly as many facts as the limit allows', async () => {
    const requests = Array.from({ length: 10 }, () =>
      feed().send([anOffering(newId('company')), anOffering(newId('company'))]),
    )
    await Promise.all(requests)
    expect(await list({ per_page: '100' })).toHaveLength(LIMIT.facts)
    expect(await leftOut()).toBe(20 - LIMIT.facts)
  })
})

describe('GET /platform/facts', () => {
  type Listed = { readonly id: string; readonly attributes: { readonly type: string; readonly events: number } }
  const applied = async (query: Record<string, string>) => {
    const { status, data } = await ask('GET', `/platform/facts?${new URLSearchParams(query)}`)
    return { status, ids: (data as Listed[] | undefined)?.map(({ id }) => id), data: data as Listed[] }
  }

  test('lists applied facts, newest first; filters select by id, type, time and the subject of their events', async () => {
    const company = newId('company')
    const [made, offered] = [aCompany(company), anOffering(company)]
    await feed().send([made, offered])
    const offering = (offered.data as { id: string }).id
    const opened = fact('offering.opened', { id: offering })
    await feed().send([opened, anOffering(newId('company'))])
    expect((await applied({ per_page: '3' })).ids).toEqual([opened.id, offered.id, made.id])
    expect((await applied({ type: 'offering.opened' })).data).toMatchObject([
      { id: opened.id, attributes: { events: 1 } },
    ])
    const since = new Date(Date.now() - 3_600_000).toISOString()
    expect((await applied({ subject: offering, since })).ids).toEqual([opened.id])
    expect((await applied({ until: since })).ids).toEqual([])
    expect((await applied({ fact_id: made.id })).ids).toEqual([made.id])
    expect((await ask('GET', `/platform/facts?fact_id=${made.id}`, { world: 'live' })).data).toEqual([])
    // With the id of a fact the span of a search by subject has no limit.
    expect((await applied({ fact_id: opened.id, subject: offering })).ids).toEqual([opened.id])
    expect((await applied({ fact_id: made.id, subject: offering })).ids).toEqual([])
    const old = new Date(Date.now() - 32 * 86_400_000).toISOString()
    for (const query of [{ subject: offering }, { subject: offering, since: old }]) {
      expect((await applied(query)).status).toBe(422)
    }
  })

  test('without until, the span of a search ends at the world’s time, even if that is ahead of real time', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const query = { subject: newId('company'), since: ago(20) }
    expect((await applied(query)).status).toBe(200)
    await feed().db.sql(`update test.world_clock set ahead = '12 days'`)
    onTestFinished(async () => void (await feed().db.sql(`update test.world_clock set ahead = '0'`)))
    expect((await applied(query)).status).toBe(422)
    expect((await applied({ ...query, since: ago(18) })).status).toBe(200)
  })
})
