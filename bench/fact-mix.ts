/**
 * Creates the facts that a host platform sends during the lives of investments. Every investment is created, identified and
 * signed; some change their amount. One in nine is then canceled. The others are paid and confirmed, and some of them executed.
 * A lane is a series of facts that are sent in order. Each lane has its own company, offering and people, because the feeds of
 * a real host would rarely change the same investor at the same moment.
 */
export type Fact = {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly data: { readonly [key: string]: unknown }
}

const PEOPLE = 200

const id = (prefix: string, lane: number, number: number) =>
  `${prefix}_0Bench${lane}${String(number).padStart(17, '0')}`

export type Lane = {
  /** The facts that must be applied before investments: people, a company and an open offering. */
  readonly prerequisites: readonly Fact[]
  /** Exactly this many facts, in order. */
  facts(count: number): Generator<Fact>
}

/** Makes a lane. With few people, many investments of one offering have the same investor. */
export function lane(number: number, startMs: number, people = PEOPLE): Lane {
  let count = 0
  const fact = (type: string, data: Fact['data']): Fact => {
    count++
    return { id: `bench-${number}-${count}`, type, occurred_at: new Date(startMs + count).toISOString(), data }
  }
  const company = id('co', number, 1)
  const offering = id('ofr', number, 1)
  const prerequisites = [
    ...Array.from({ length: people }, (_, at) =>
      fact('user.registered', {
        id: id('usr', number, at),
        name: `Bench Person ${at}`,
        email: `bench.${number}.${at}@example.com`,
      }),
    ),
    fact('company.created', { id: company, name: `Bench ${number}`, page_url: '/c/bench' }),
    fact('offering.created', {
      id: offering,
      company,
      currency: 'usd',
      exemption: 'reg_cf',
      security: { type: 'safe', terms: { valuation_cap: '10000000' } },
      listed: true,
    }),
    fact('offering.opened', { id: offering }),
  ]
  function* lives(): Generator<Fact> {
    for (let at = 1; ; at++) {
      const investment = { id: id('inv', number, at) }
      const amount = 10_000 + (at % 90) * 10_000
      const investor = id('usr', number, (at * 7) % people)
      yield fact('investment.created', { ...investment, offering, investor, amount_cents: amount, currency: 'usd' })
      yield fact('investment.identity_changed', { ...investment, state: 'passed' })
      yield fact('investment.signature_changed', { ...investment, state: 'passed' })
      if (at % 5 === 0) yield fact('investment.amount_changed', { ...investment, amount_cents: amount * 2 })
      if (at % 9 === 0) yield fact('investment.canceled', investment)
      else {
        yield fact('investment.payment_received', { ...investment, in_escrow_cents: amount })
        yield fact('investment.confirmed', investment)
        if (at % 3 === 0) yield fact('investment.executed', investment)
      }
    }
  }
  const endless = lives()
  function* facts(count: number): Generator<Fact> {
    for (let made = 0; made < count; made++) yield endless.next().value
  }
  return { prerequisites, facts }
}
