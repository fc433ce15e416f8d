import { beforeEach, describe, expect, test } from 'vitest'
import { operatorKey } from './command.ts'
import { usedData } from './data-directory.ts'
import { type Service, startService } from './service.ts'

/** Tests docs/sandbox.md against a real process. */

const [FOUNDER, BACKER] = ['usr_0SandboxPlayFounder00000', 'usr_0SandboxPlayBacker000000']
const COMPANY = 'co_0SandboxPlayCompany00000'
const [TESTING, OFFERING] = ['ofr_0SandboxPlayTesting00000', 'ofr_0SandboxPlayOffering0000']
const SYNDICATE = 'syn_0SandboxPlaySyndicate000'

const STAGE = [
  ['user.registered', { id: FOUNDER, name: 'Lise Meitner', email: 'lise@example.com' }],
  ['user.registered', { id: BACKER, name: 'Otto Frisch', email: 'otto@example.com' }],
  ['company.created', { id: COMPANY, name: 'Fission', page_url: 'https://platform.example.org/fission' }],
  [
    'offering.created',
    { id: TESTING, company: COMPANY, currency: 'usd', exemption: 'reg_cf', testing_the_waters: true },
  ],
  [
    'offering.created',
    { id: OFFERING, company: COMPANY, currency: 'usd', exemption: 'reg_cf', security: { type: 'safe', terms: {} } },
  ],
  ['syndicate.created', { id: SYNDICATE, name: 'Chain Reaction', slug: 'chain-reaction', created_by: FOUNDER }],
] as const

type Answer = {
  readonly status: number
  readonly data: { readonly id: string; readonly [key: string]: unknown }
  readonly events: readonly string[]
  readonly error: { readonly type: string; readonly details?: { readonly from: string; readonly allowed: string[] } }
}

let environment: Record<string, string>
let service: Service
let key: string
beforeEach(async () => {
  environment = { PORT: '0', PORTICO_DATA: await usedData(), LOG_LEVEL: 'warn' }
  key = await operatorKey(environment, 'test')
  service = await startService(environment)
  const facts = STAGE.map(([type, data], at) => ({
    id: `stage-${at}`,
    type,
    occurred_at: '2026-01-10T09:00:00Z',
    data,
  }))
  const outcome = await send('/platform/facts', facts)
  expect(outcome.body).toMatchObject({ meta: { applied: STAGE.length } })
})

/** Applies facts in the live world, as of now. */
async function applyLive(liveKey: string, facts: readonly (readonly [type: string, data: object])[]) {
  const occurred_at = new Date().toISOString()
  const all = facts.map(([type, data], at) => ({ id: `live-${type}-${at}`, type, occurred_at, data }))
  const { body } = await send('/platform/facts', all, liveKey)
  expect(body).toMatchObject({ meta: { applied: facts.length } })
}

async function send(path: string, body?: unknown, as = key) {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function play(path: string, body?: unknown, as?: string): Promise<Answer> {
  const answer = await send(`/sandbox${path}`, body, as)
  const { data, meta, error } = answer.body as Pick<Answer, 'data' | 'error'> & {
    meta?: { events: { event: string }[] }
  }
  return { status: answer.status, data, error, events: (meta?.events ?? []).map(({ event }) => event) }
}

describe('docs/sandbox.md', () => {
  test('a person with a test key plays an investment from reservation to execution', async () => {
    const events: string[] = []
    const playing = async (path: string, body?: unknown) => {
      const answer = await play(path, body)
      expect([200, 201], `${path} ${JSON.stringify(answer.error)}`).toContain(answer.status)
      events.push(...answer.events)
      return answer.data
    }
    await playing(`/offerings/${TESTING}/open`)
    const invested = { investor: BACKER, amount_cents: 25_000 }
    const reservation = await playing('/investments', { offering: TESTING, ...invested })
    expect(reservation['status']).toBe('reserved')
    await playing(`/offerings/${OFFERING}/open`)
    const investment = await playing('/investments', { offering: OFFERING, ...invested })
    await playing(`/investments/${reservation.id}/convert`, { to: investment.id })
    await playing(`/investments/${investment.id}/change_amount`, { amount_cents: 50_000 })
    for (const move of ['verify_identity', 'sign', 'pay', 'confirm'])
      await playing(`/investments/${investment.id}/${move}`)
    await playing(`/offerings/${OFFERING}/closing`)
    const executed = await playing(`/investments/${investment.id}/execute`)
    await playing(`/offerings/${OFFERING}/close`)
    expect(executed).toMatchObject({
      status: 'executed',
      amounts: { committed_cents: 50_000, in_escrow_cents: 50_000 },
      converted_from: reservation.id,
    })
    expect(events).toEqual([
      'offering.opened',
      'investment.created',
      'offering.opened',
      'investment.created',
      'investment.converted',
      'investment.amount_changed',
      'offering.closing',
      'investment.executed',
      'offering.closed',
    ])
    expect(await play(`/investments/${investment.id}/cancel`)).toMatchObject({
      status: 409,
      error: {
        type: 'illegal_transition',
        details: { from: 'executed', event: 'cancel', allowed: ['change_amount'] },
      },
    })
  })

  test('moving the clock by days expires sessions and ends the grace period, only in the test world', async () => {
    await play(`/offerings/${OFFERING}/open`)
    const canceled = await play('/investments', { offering: OFFERING, investor: BACKER, amount_cents: 100 })
    await play(`/investments/${canceled.data.id}/cancel`)
    const session = await play('/join_sessions', { syndicate: SYNDICATE, expires_in_hours: 24 })
    const live = await operatorKey(environment, 'live')
    const id = 'js_0SandboxPlayLive00000000'
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString()
    await applyLive(live, [
      ['user.registered', { id: FOUNDER, name: 'Lise Meitner', email: 'lise@example.com' }],
      ['syndicate.created', { id: SYNDICATE, name: 'Chain Reaction', slug: 'chain-reaction', created_by: FOUNDER }],
      ['join_session.created', { id, syndicate: SYNDICATE, expires_at: tomorrow }],
    ])
    const before = Date.now()
    const clock = await play('/clock', { advance: 'P1W1D' })
    expect(clock.data).toMatchObject({ ahead: 'P8D' })
    expect(Date.parse(String(clock.data['now'])) - before).toBeGreaterThanOrEqual(8 * 86_400_000)

    expect(await play(`/investments/${canceled.data.id}/reinstate`)).toMatchObject({ status: 409 })
    await expect
      .poll(() => play(`/join_sessions/${session.data.id}/reject`))
      .toMatchObject({
        status: 409,
        error: { details: { from: 'expired', allowed: [] } },
      })
    // The live session has not expired: an expired one allows no move.
    await applyLive(live, [['join_session.canceled', { id }]])
  })

  test('live credentials are rejected, and nothing changes', async () => {
    const live = await operatorKey(environment, 'live')
    await play(`/offerings/${OFFERING}/open`)
    const refused = [
      await play('/investments', { offering: OFFERING, investor: BACKER, amount_cents: 100 }, live),
      await play(`/offerings/${OFFERING}/cancel`, undefined, live),
      await play('/clock', { advance: 'P1D' }, live),
    ]
    expect(refused.map(({ status, error }) => `${status} ${error.type}`)).toEqual(Array(3).fill('403 sandbox_only'))
    expect((await play(`/offerings/${OFFERING}/closing`)).events).toEqual(['offering.closing'])
  })
})
