import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { envelopeSchema } from '#events/http.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  cancelInvestment,
  changeAmount,
  changeDetails,
  hideInvestment,
  unhideInvestment,
} from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'

/** "Investment sync event": from publication in the ledger to the data that each installation would get. */

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

const SEERS = ['company', 'company with PII', 'investor', 'stranger'] as const
type Seer = (typeof SEERS)[number]
type Told = { readonly visible: unknown; readonly first: unknown; readonly fields: readonly string[] }

/**
 * An investment that is not published yet, and three apps. The first is installed on the company without PII, and on the
 * investor. The second is installed on the company with PII. The third is installed on another company and another user.
 */
async function invested() {
  const [company, investor] = [await stage.company(), await stage.user()]
  const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
  const [app, pii, strange] = [await stage.app(), await stage.app(), await stage.app()]
  const named = new Map<string | null, Seer>([
    [await stage.install(app, { company }, ['read:investments']), 'company'],
    [await stage.install(app, { user: investor }, ['read:investments']), 'investor'],
    [await stage.install(pii, { company }, ['read:investments', 'read:investors:pii']), 'company with PII'],
    [await stage.install(strange, { company: await stage.company() }, ['read:investments']), 'stranger'],
    [await stage.install(strange, { user: await stage.user() }, ['read:investments']), 'stranger'],
  ])
  for (const each of [app, pii, strange]) await stage.listen(each, { events: ['investment.changed'] })
  const id = await stage.arrange((tx) => makeInvestment(tx, { offering, investor, message: 'Good luck' }))
  let seenIds = new Set<string>()

  /** Returns the data of the new event for each receiver, and checks that no receiver gets it twice. */
  async function told(...happened: readonly ((tx: Tx) => Promise<unknown>)[]): Promise<Partial<Record<Seer, Told>>> {
    for (const work of happened) await stage.arrange(work)
    await publishAll(stage.db.databases.test)
    const sent = await stage.deliveries(app, pii, strange)
    const now = sent.filter((one) => !seenIds.has(one.id))
    seenIds = new Set(sent.map((one) => one.id))
    for (const { refused, envelope } of now) {
      expect(refused).toBeNull()
      expect(Value.Errors(envelopeSchema('investment.changed'), envelope)).toEqual([])
    }
    expect(new Set(now.map(({ installation }) => installation)).size).toBe(now.length)
    return Object.fromEntries(
      now.map(({ installation, envelope: { data } }) => {
        const { visible, first, fields } = data as unknown as Told
        return [named.get(installation), { visible, first, fields }]
      }),
    )
  }
  return { id, investor, told }
}

const hide = (id: Id<'investment'>) => (tx: Tx) => hideInvestment(tx, { id }, occasionAt())
const unhide = (id: Id<'investment'>) => (tx: Tx) => unhideInvestment(tx, { id }, occasionAt())
const cancel = (id: Id<'investment'>) => (tx: Tx) => cancelInvestment(tx, { id }, occasionAt())
const changeTo = (id: Id<'investment'>, units: number) => (tx: Tx) =>
  changeAmount(tx, { id, amount_cents: (units * 100) as Cents }, occasionAt())
const nothing = async () => {}

describe('each change causes one event for each installation that it concerns', () => {
  test('a change that the company and the investor see reaches both, once', async () => {
    const { id, told } = await invested()
    expect(Object.keys(await told(nothing)).toSorted()).toEqual(['company', 'company with PII', 'investor'])
    const changed = { visible: true, first: false, fields: ['amounts'] }
    expect(await told(changeTo(id, 300))).toEqual({
      company: changed,
      'company with PII': changed,
      investor: changed,
    })
  })

  test('the field "first" is true once per reader: for the investor when the record appears, for the company when the company first sees the record', async () => {
    const { id, told } = await invested()
    const hidden = await told(hide(id))
    expect(hidden).toEqual({ investor: { visible: false, first: true, fields: expect.any(Array) } })
    const shown = await told(unhide(id))
    expect(shown).toMatchObject({
      company: { visible: true, first: true },
      'company with PII': { visible: true, first: true },
      investor: { visible: true, first: false, fields: ['visible'] },
    })
    expect(shown.company?.fields).toEqual(expect.arrayContaining(['visible', 'status', 'group', 'amounts', 'investor']))
    expect(await told(hide(id), unhide(id))).toEqual({})
  })

  test('a change while the record is hidden is sent only to the investor', async () => {
    const { id, told } = await invested()
    await told(nothing)
    const gone = { visible: false, first: false, fields: ['visible'] }
    expect(await told(hide(id))).toEqual({ company: gone, 'company with PII': gone, investor: gone })
    expect(await told(changeTo(id, 300))).toEqual({
      investor: { visible: false, first: false, fields: ['amounts'] },
    })
    expect(await told(cancel(id))).toMatchObject({ investor: { fields: expect.arrayContaining(['status']) } })
  })

  test('when a record is changed and hidden at once, the investor sees both, and the company sees only that the record is hidden', async () => {
    const { id, told } = await invested()
    await told(nothing)
    const gone = { visible: false, first: false, fields: ['visible'] }
    expect(await told(changeTo(id, 300), hide(id))).toEqual({
      company: gone,
      'company with PII': gone,
      investor: { visible: false, first: false, fields: ['visible', 'amounts'] },
    })
  })

  test('when a record is shown again, the company sees all fields as changed, and the investor only the field `visible`', async () => {
    const { id, told } = await invested()
    await told(nothing)
    await told(hide(id))
    const { company, investor } = await told(unhide(id))
    expect(company?.fields).toEqual(expect.arrayContaining(['status', 'group', 'amounts', 'investor']))
    expect([company?.first, investor?.first, investor?.fields]).toEqual([false, false, ['visible']])
  })
})

describe('fields of identity', () => {
  test('changed identity fields are listed only with read:investors:pii and for the investor’s own app', async () => {
    const { id, told } = await invested()
    const first = await told(nothing)
    for (const seer of ['company with PII', 'investor'] as const) {
      expect(first[seer]?.fields).toEqual(expect.arrayContaining(['investor', 'external_username', 'message']))
    }
    expect(first.company?.fields).toContain('investor')
    expect(first.company?.fields).not.toContain('message')
    expect(first.company?.fields).not.toContain('external_username')
    const message = (tx: Tx) => changeDetails(tx, { id, message: 'Very good luck' }, occasionAt())
    expect(await told(message, changeTo(id, 300))).toMatchObject({
      company: { fields: ['amounts'] },
      'company with PII': { fields: ['amounts', 'message'] },
      investor: { fields: ['amounts', 'message'] },
    })
  })

  test('a new name is listed as a change of investor only for readers who see the name', async () => {
    const { investor, told } = await invested()
    await told(nothing)
    const rename = (tx: Tx) => updateUser(tx, { id: investor, name: 'Grace Hopper' }, occasionAt())
    const changed = { visible: true, first: false, fields: ['investor'] }
    expect(await told(rename)).toEqual({ 'company with PII': changed, investor: changed })
  })

  test('if the scope is lost while the delivery waits, it is sent without identity fields', async () => {
    const company = await stage.company()
    const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
    const app = await stage.app()
    const installation = await stage.install(app, { company }, ['read:investments', 'read:investors:pii'])
    await stage.listen(app, { events: ['investment.changed'] })
    await stage.arrange((tx) => makeInvestment(tx, { offering, message: 'Good luck' }))
    await publishAll(stage.db.databases.test)
    const fields = async () => (await stage.deliveries(app))[0]?.envelope.data['fields']
    expect(await fields()).toContain('message')
    await stage.db.sql(`update test.installations set scopes = '{read:investments}', pii_by = null where id = $1`, [
      installation,
    ])
    expect(await fields()).not.toContain('message')
  })
})
