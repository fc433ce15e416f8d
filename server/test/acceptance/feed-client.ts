import type { Service } from './service.ts'

/** A client of the platform's feed over HTTP, as docs/platform-feed.md describes it. */

export type Fact = { readonly id: string; readonly type: string; readonly occurred_at: string; readonly data: object }
export type Outcome = { readonly id: string; readonly status: string; readonly events: { id: string; event: string }[] }
export type Event = { readonly event: string; readonly mode: string; readonly data: Record<string, unknown> }

export async function send(service: Service, key: string, facts: readonly Fact[]): Promise<Outcome[]> {
  const response = await fetch(`${service.address}/platform/facts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(facts),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return (JSON.parse(text) as { data: Outcome[] }).data
}

export async function eventsOf(service: Service, key: string, id: string): Promise<Event[]> {
  const response = await fetch(`${service.address}/platform/facts/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (response.status !== 200) throw new Error(`${id}: ${response.status}`)
  return ((await response.json()) as { data: { events: Event[] } }).data.events
}

/** Returns a well-formed id with this number. */
const id = (prefix: string, number: number) => `${prefix}0Story${String(number).padStart(18, '0')}`

/**
 * Returns facts about investors who commit, change the amount, and pay or cancel. The facts depend on each other, and
 * each has its own time.
 */
export function story(investors: number): Fact[] {
  const [company, offering] = [id('co_', 1), id('ofr_', 1)]
  const parts: [string, object][] = [
    ['company.created', { id: company, name: 'Noether Ltd', page_url: 'https://platform.example.org/noether' }],
    [
      'offering.created',
      { id: offering, company, currency: 'usd', exemption: 'reg_cf', security: { type: 'safe', terms: {} } },
    ],
    ['offering.opened', { id: offering }],
    ...Array.from({ length: investors }, (_, n): [string, object][] => {
      const [user, investment] = [id('usr_', n), id('inv_', n)]
      return [
        ['user.registered', { id: user, name: `Investor ${n}`, email: `investor-${n}@example.com` }],
        ['investment.created', { id: investment, offering, investor: user, amount_cents: 10_000, currency: 'usd' }],
        ['investment.amount_changed', { id: investment, amount_cents: 20_000 + n * 100 }],
        n % 3 === 0
          ? ['investment.canceled', { id: investment }]
          : ['investment.payment_received', { id: investment, in_escrow_cents: 10_000 }],
      ]
    }).flat(),
  ]
  return parts.map(([type, data], n) => {
    const occurred_at = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
    return { id: `story-${n}`, type, occurred_at, data }
  })
}

/** Returns all events of the facts, without their ids and recording times. */
export async function stateOf(service: Service, key: string, facts: readonly Fact[]) {
  const state: unknown[] = []
  for (const fact of facts) {
    const events = await eventsOf(service, key, fact.id)
    state.push([fact.id, ...events.map(({ event, data }) => ({ event, data }))])
  }
  return state
}
