import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { serveFeed } from './testing/feed.ts'
import { probeFacts } from './testing/probe-facts.ts'

const feed = serveFeed(probeFacts)

const AT = '2026-01-15T12:00:00.123456Z'
const person = () => ({ id: newId('user'), name: 'Ada', email: `${randomUUID()}@example.com` })
const fact = (type = 'probe.told', data: object = person(), more: object = {}) => ({
  id: `fact-${randomUUID()}`,
  type,
  occurred_at: AT,
  data,
  ...more,
})

const usersIn = async (world: string, ids: readonly string[]) => {
  const rows = await feed().db.sql<{ id: string }>(`select id from ${world}.users where id = any($1)`, [ids])
  return rows.map(({ id }) => id)
}
const countsIn = async (world: string) => {
  const [row] = await feed().db.sql<Record<string, string>>(
    `select (select count(*) from ${world}.users) as users, (select count(*) from ${world}.facts) as facts,
            (select count(*) from ${world}.events) as events, (select count(*) from ${world}.event_queue) as queued`,
  )
  return row
}
const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  return { status: response.status, ...error }
}

describe('POST /platform/facts', () => {
  test.each(WORLDS)('applies facts in order in the %s world and names the events of each fact', async (world) => {
    const [noisy, quiet] = [fact(), fact('probe.quiet')]
    const outcomes = await feed().send([noisy, quiet], world)
    const id = expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/)
    expect(outcomes).toEqual([
      {
        id: noisy.id,
        status: 'applied',
        events: [
          { id, event: 'syndicate_member.applied' },
          { id, event: 'investment.executed' },
        ],
      },
      { id: quiet.id, status: 'applied', events: [] },
    ])
    const other = world === 'test' ? 'live' : 'test'
    const ids = [noisy, quiet].map(({ data }) => Reflect.get(data, 'id') as string)
    expect(await usersIn(world, ids)).toHaveLength(2)
    expect(await usersIn(other, ids)).toEqual([])
  })

  test('counts the results of the batch', async () => {
    const known = fact()
    await feed().send([known])
    const response = await feed().post(JSON.stringify([known, fact(), fact(), fact('probe.illegal', {})]))
    expect(await response.json()).toMatchObject({ meta: { applied: 2, duplicate: 1, refused: 1 } })
  })

  test('accepts one fact per line, with blank lines and both kinds of line ending', async () => {
    const facts = [fact(), fact('probe.quiet')]
    const text = `${JSON.stringify(facts[0])}\r\n\n${JSON.stringify(facts[1])}\n`
    const response = await feed().post(text, 'test', 'application/x-ndjson; charset=utf-8')
    expect(await response.json()).toMatchObject({ data: facts.map(({ id }) => ({ id, status: 'applied' })) })
  })

  test('an empty list gives an empty response', async () => {
    expect(await feed().send([])).toEqual([])
  })

  test('applies 1,000 facts in one request', async () => {
    const outcomes = await feed().send(Array.from({ length: 1_000 }, () => fact('probe.quiet')))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']))
  })

  describe('a repeat', () => {
    test('a repeated fact gets the first result with status duplicate, and changes nothing', async () => {
      const sent = fact()
      const [first] = await feed().send([sent])
      const before = await countsIn('test')
      expect(await feed().send([sent, sent])).toEqual([
        { ...first, status: 'duplicate' },
        { ...first, status: 'duplicate' },
      ])
      expect(await countsIn('test')).toEqual(before)
    })

    test('a repeated fact may have its fields in another order', async () => {
      const { id, type, occurred_at, data } = fact()
      await feed().send([{ id, type, occurred_at, data }])
      const reversed = Object.fromEntries(Object.entries(data).reverse())
      expect(await feed().send([{ data: reversed, occurred_at, type, id }])).toMatchObject([{ status: 'duplicate' }])
    })

    test.each([
      ['another time', { occurred_at: '2026-01-15T12:00:01Z' }],
      ['other data', { data: person() }],
      ['another type', { type: 'probe.quiet' }],
    ])('a fact that reuses an id with %s is rejected: id_reused', async (_what, change) => {
      const sent = fact()
      await feed().send([sent])
      const before = await countsIn('test')
      const [outcome] = await feed().send([{ ...sent, ...change }])
      expect(outcome).toMatchObject({
        id: sent.id,
        status: 'refused',
        events: [],
        error: { type: 'invalid_fact', field: 'id', code: 'id_reused' },
      })
      expect(await countsIn('test')).toEqual(before)
    })

    test('a corrected fact with the id of a rejected fact is applied', async () => {
      const taken = fact()
      const clash = fact('probe.told', { ...person(), id: Reflect.get(taken.data, 'id') })
      await feed().send([taken])
      expect(await feed().send([clash])).toMatchObject([{ status: 'refused' }])
      expect((await feed().get(clash.id)).status).toBe(404)
      expect(await feed().send([{ ...clash, data: person() }])).toMatchObject([{ status: 'applied' }])
    })

    test('the same fact in the other world is a separate fact', async () => {
      const sent = fact()
      expect(await feed().send([sent], 'test')).toMatchObject([{ status: 'applied' }])
      expect(await feed().send([sent], 'live')).toMatchObject([{ status: 'applied' }])
    })

    test('ten concurrent batches with the same facts apply each fact once, and all list the same events', async () => {
      const facts = Array.from({ length: 5 }, () => fact())
      const answers = await Promise.all(Array.from({ length: 10 }, () => feed().send(facts)))
      facts.forEach((_, at) => {
        const seen = answers.map((outcomes) => outcomes[at])
        expect(seen.filter((outcome) => outcome?.status === 'applied')).toHaveLength(1)
        expect(seen.filter((outcome) => outcome?.status === 'duplicate')).toHaveLength(9)
        expect(new Set(seen.map((outcome) => JSON.stringify(outcome?.events))).size).toBe(1)
      })
    })
  })

  describe('rejects a fact', () => {
    const refused = async (sent: unknown) => {
      const before = await countsIn('test')
      const [outcome] = await feed().send([sent])
      expect(outcome).toMatchObject({ status: 'refused', events: [] })
      expect(await countsIn('test')).toEqual(before)
      return outcome
    }
    const personFact = (data: object) => fact('probe.told', { ...person(), ...data })

    test.each([
      ['a number', 7, 'fact', 'invalid_type'],
      ['null', null, 'fact', 'invalid_type'],
      ['a list', [], 'fact', 'invalid_type'],
      ['no id', { ...fact(), id: undefined }, 'id', 'required'],
      ['an id with a space', fact('probe.told', person(), { id: 'a b' }), 'id', 'invalid_format'],
      ['an empty id', fact('probe.told', person(), { id: '' }), 'id', 'invalid_format'],
      ['an id of 101 characters', fact('probe.told', person(), { id: 'x'.repeat(101) }), 'id', 'invalid_format'],
      ['a fifth, unknown field', fact('probe.told', person(), { extra: 1 }), 'extra', 'unknown_field'],
      ['no time', { ...fact(), occurred_at: undefined }, 'occurred_at', 'required'],
      [
        'a day that does not exist',
        fact('probe.told', person(), { occurred_at: '2026-02-30T00:00:00Z' }),
        'occurred_at',
        'invalid_format',
      ],
      [
        'a time without a zone',
        fact('probe.told', person(), { occurred_at: '2026-02-03T00:00:00' }),
        'occurred_at',
        'invalid_format',
      ],
      [
        'a time before 1970',
        fact('probe.told', person(), { occurred_at: '1969-12-31T23:59:59Z' }),
        'occurred_at',
        'too_early',
      ],
      [
        'a time far in the future',
        fact('probe.told', person(), { occurred_at: '2999-01-01T00:00:00Z' }),
        'occurred_at',
        'in_the_future',
      ],
      ['data that is not an object', fact('probe.told', []), 'data', 'invalid_type'],
      ['a missing field', fact('probe.told', { ...person(), name: undefined }), 'data.name', 'required'],
      ['a misspelt field', personFact({ nmae: 'Ada' }), 'data.nmae', 'unknown_field'],
      ['a negative amount', personFact({ amount_cents: -100 }), 'data.amount_cents', 'too_small'],
      ['cents that are not whole units', personFact({ amount_cents: 150 }), 'data.amount_cents', 'not_a_multiple'],
      ['an amount beyond 2^53', personFact({ amount_cents: 2 ** 53 + 2 }), 'data.amount_cents', 'too_large'],
      ['an amount as text', personFact({ amount_cents: '100' }), 'data.amount_cents', 'invalid_type'],
      ['an amount with a fraction', personFact({ amount_cents: 100.5 }), 'data.amount_cents', 'invalid_type'],
      ['a control character', personFact({ name: 'Ada\u0007' }), 'data.name', 'invalid_format'],
      ['a right-to-left override', personFact({ name: 'Ada\u202eevE' }), 'data.name', 'invalid_format'],
      ['a NUL', personFact({ name: 'Ada\u0000' }), 'data.name', 'invalid_text'],
      ['half of a surrogate pair', personFact({ name: 'Ada\ud800' }), 'data.name', 'invalid_text'],
      [
        'an address with an invisible character',
        personFact({ email: 'a\u200b@example.com' }),
        'data.email',
        'invalid_format',
      ],
      ['an id of another kind', personFact({ id: newId('company') }), 'data.id', 'invalid_format'],
      ['a time in the year 20026', personFact({ at: '20026-01-01T00:00:00Z' }), 'data.at', 'invalid_format'],
    ])('a fact is rejected for this mistake: %s', async (_what, sent, field, code) => {
      const outcome = await refused(sent)
      expect(outcome?.error).toMatchObject({ type: 'invalid_fact', field, code })
      expect(outcome?.error?.message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')} .+\\.$`))
    })

    test('a fact 6 minutes ahead of the world’s time is rejected, one 4 minutes ahead is applied', async () => {
      const ahead = (minutes: number) => ({ occurred_at: new Date(Date.now() + minutes * 60_000).toISOString() })
      expect(await refused(fact('probe.told', person(), ahead(6)))).toMatchObject({ error: { code: 'in_the_future' } })
      expect(await feed().send([fact('probe.told', person(), ahead(4))])).toMatchObject([{ status: 'applied' }])
    })

    test('the error describes a valid name in words instead of quoting a pattern', async () => {
      const outcome = await refused(personFact({ name: 'Ada\u202e' }))
      expect(outcome?.error?.message).toContain('without control or direction characters')
    })

    test('a fact of an unknown type is rejected, and the error names similar types', async () => {
      expect(await refused(fact('probe.tolled'))).toMatchObject({
        error: {
          type: 'invalid_fact',
          field: 'type',
          code: 'unknown_type',
          details: { known: expect.arrayContaining(['probe.told']) },
        },
      })
      expect(await refused(fact('probe.exploded'))).toMatchObject({
        error: { message: expect.stringContaining('probe.') },
      })
      expect(await refused(fact('constructor'))).toMatchObject({
        error: { code: 'unknown_type', details: { known: [] } },
      })
    })

    test('a fact with an unknown reference is rejected: the error has field and id, and changes of the fact are rolled back', async () => {
      expect(await refused(fact('probe.missing'))).toMatchObject({
        error: { type: 'unknown_reference', field: 'data.offering', details: { id: 'ofr_gone' } },
      })
    })

    test('a fact that the state does not allow is rejected, and the error has the state, event and allowed moves', async () => {
      expect(await refused(fact('probe.illegal', {}))).toMatchObject({
        error: {
          type: 'illegal_transition',
          message: expect.stringContaining('It rains.'),
          details: { from: 'none', event: 'go', allowed: [] },
        },
      })
    })

    test('if the use case of a fact rejects a field, the outcome names this field', async () => {
      expect(await refused(fact('probe.invalid', {}))).toMatchObject({
        error: {
          type: 'invalid_fact',
          field: 'data.currency',
          code: 'mismatch',
          message: 'data.currency must be usd.',
        },
      })
    })

    test('a fact that violates a constraint of the database is rejected, the error names the field, and there is no 500', async () => {
      const first = fact()
      await feed().send([first])
      expect(await refused(fact('probe.told', { ...person(), id: Reflect.get(first.data, 'id') }))).toMatchObject({
        error: {
          type: 'invalid_fact',
          field: 'data.id',
          code: 'already_exists',
          message: expect.stringContaining('is already a user'),
        },
      })
    })

    test('a rejected fact does not affect the other facts of the request', async () => {
      const [one, two] = [fact(), fact()]
      expect(await feed().send([one, fact('probe.missing'), 'nonsense', two])).toMatchObject([
        { id: one.id, status: 'applied' },
        { status: 'refused' },
        { id: null, status: 'refused' },
        { id: two.id, status: 'applied' },
      ])
    })
  })

  describe('rejects the whole batch, and applies nothing of it', () => {
    const refusedWhole = async (body: string, contentType?: string) => {
      const before = await countsIn('test')
      const error = await errorOf(await feed().post(body, 'test', contentType))
      expect(await countsIn('test')).toEqual(before)
      return error
    }
    const line = () => JSON.stringify(fact())

    test('400 for a body that is not JSON', async () => {
      expect(await refusedWhole(`[${line()}, oops]`)).toMatchObject({ status: 400, type: 'invalid_request' })
    })

    test('400 with the number of the malformed line', async () => {
      const error = await refusedWhole(`${line()}\n${line()}\n{"id": "half\n${line()}`, 'application/x-ndjson')
      expect(error).toMatchObject({
        status: 400,
        type: 'invalid_request',
        message: 'Line 3 of the request body is not JSON. Nothing of the batch was applied.',
        details: { line: 3 },
      })
    })

    test('400 for an empty body', async () => {
      expect(await refusedWhole('')).toMatchObject({ status: 400, type: 'invalid_request' })
    })

    test('400 for a body that is not UTF-8', async () => {
      const response = await fetch(`${feed().app.url}/platform/facts`, {
        method: 'POST',
        headers: { authorization: 'Bearer ok_test_key', 'content-type': 'application/json' },
        body: Buffer.from([0x5b, 0xff, 0x5d]),
      })
      expect(await errorOf(response)).toMatchObject({ status: 400, type: 'invalid_request' })
    })

    test.each(['{"facts": []}', '"fact"', 'null'])('422 for %s, which is not a list', async (body) => {
      expect(await refusedWhole(body)).toMatchObject({ status: 422, type: 'validation_error' })
    })

    test.each(['application/json', 'application/x-ndjson'])(
      '422 with the limit for 1,001 facts as %s',
      async (type) => {
        const lines = Array.from({ length: 1_001 }, line)
        const body = type === 'application/json' ? `[${lines.join()}]` : lines.join('\n')
        expect(await refusedWhole(body, type)).toMatchObject({
          status: 422,
          type: 'validation_error',
          details: { fields: [{ field: 'body', code: 'too_long', message: expect.stringContaining('1,000') }] },
        })
      },
    )

    test('413 for a body over 8 MiB; a body over 1 MiB is accepted', async () => {
      const padded = (chars: number) => `[${line()}${' '.repeat(chars)}]`
      expect(await refusedWhole(padded(8 * 1_048_576))).toMatchObject({ status: 413, type: 'payload_too_large' })
      expect((await feed().post(padded(2 * 1_048_576))).status).toBe(200)
    })

    test('415 for another content type', async () => {
      expect(await refusedWhole('a=b', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 })
      expect(await refusedWhole('[]', 'text/plain')).toMatchObject({ status: 415 })
    })

    test('401 without a valid key', async () => {
      const response = await fetch(`${feed().app.url}/platform/facts`, { method: 'POST', body: '[]' })
      expect(await errorOf(response)).toMatchObject({ status: 401, type: 'invalid_token' })
    })
  })

  test('after an internal error the request gets 500, earlier facts stay applied, and the batch can be sent again', async () => {
    const [one, two] = [fact(), fact()]
    expect((await feed().post(JSON.stringify([one, fact('probe.buggy', {}), two]))).status).toBe(500)
    expect(await feed().send([one, two])).toMatchObject([{ status: 'duplicate' }, { status: 'applied' }])
  })

  test('two facts that deadlock are retried, and both are applied', async () => {
    const [a, b] = [fact('probe.quiet'), fact('probe.quiet')]
    await feed().send([a, b])
    const [first, second] = [Reflect.get(a.data, 'id'), Reflect.get(b.data, 'id')]
    const crossed = [fact('probe.crossed', { first, second }), fact('probe.crossed', { first: second, second: first })]
    const outcomes = await Promise.all(crossed.map((each) => feed().send([each])))
    expect(outcomes).toMatchObject([[{ status: 'applied' }], [{ status: 'applied' }]])
  })
})

describe('GET /platform/facts/{id}', () => {
  test('returns the fact with all events that it caused, in order', async () => {
    const sent = fact()
    const [outcome] = await feed().send([sent], 'live')
    const response = await feed().get(sent.id, 'live')
    expect(response.status).toBe(200)
    const userId = Reflect.get(sent.data, 'id')
    expect(await response.json()).toEqual({
      data: {
        id: sent.id,
        type: 'probe.told',
        occurred_at: AT,
        applied_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        events: [
          {
            id: outcome?.events[0]?.id,
            event: 'syndicate_member.applied',
            created_at: expect.stringMatching(/Z$/),
            mode: 'live',
            data: {
              id: 'mem_example',
              status: 'pending',
              user: { id: userId, name: 'Ada', email: 'ada@example.com' },
              approved_by: null,
              occurred_at: AT,
            },
          },
          {
            id: outcome?.events[1]?.id,
            event: 'investment.executed',
            created_at: expect.stringMatching(/Z$/),
            mode: 'live',
            data: { amounts: { committed: 250 }, user: { name: 'Ada', email: 'ada@example.com' } },
          },
        ],
      },
    })
  })

  test('accepts an id with any visible character', async () => {
    const unusual = fact('probe.quiet', person(), { id: `a/b?c#d%20"&<>~!${randomUUID()}` })
    await feed().send([unusual])
    expect(await (await feed().get(unusual.id)).json()).toMatchObject({ data: { id: unusual.id, events: [] } })
  })

  test('404 for an unknown id, for one of the other world, and for a malformed id', async () => {
    const sent = fact()
    await feed().send([sent], 'test')
    for (const [id, world] of [
      ['unknown', 'test'],
      [sent.id, 'live'],
      ['a b', 'test'],
    ] as const) {
      expect(await errorOf(await feed().get(id, world))).toMatchObject({ status: 404, type: 'not_found' })
    }
  })

  test('the log of a 404 does not contain the id, in which a sender may have put an address', async () => {
    const response = await feed().get('ada@example.org')
    expect(response.status).toBe(404)
    const { app } = feed()
    await expect.poll(() => app.logLines.join()).toContain(response.headers.get('x-request-id'))
    expect(app.logLines.join()).not.toContain('ada@example.org')
  })
})
