import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WorldTime, worldTime } from '#kernel/clock.ts'
import {
  type Aftermath,
  addUp,
  type Exit,
  endOf,
  exitReason,
  POSITION_STATUSES,
  plainDecimal,
  positionStatus,
  quotientHalfUp,
  returnMultiple,
  type Stake,
  sharePrice,
  sharesHeld,
  shownAmounts,
  shownCents,
  stakeWorth,
  sum,
  times,
  type Valuation,
} from './worth.ts'

const day = (n: number): WorldTime => worldTime(`2026-03-${String(n).padStart(2, '0')}T00:00:00.000000Z`)
const aStake = (change: Partial<Stake> = {}): Stake => ({
  cost: 100_000n,
  investedAt: day(5),
  shares: null,
  sale: null,
  ...change,
})
const anExit = (change: Partial<Exit> = {}): Exit => ({
  status: 'exited',
  reason: null,
  exitedAt: day(20),
  multiple: '2.35',
  ...change,
})
const worthOf = (stake: Stake, aftermath: Partial<Aftermath> = {}) =>
  stakeWorth(stake, { valuation: null, exit: null, ...aftermath })
const byMultiple = (multiple: string, at = 10): Valuation => ({ valuedAt: day(at), sharePrice: null, multiple })
const bySharePrice = (sharePrice: string, at = 10): Valuation => ({ valuedAt: day(at), sharePrice, multiple: null })
const SHARES = { count: '295', price: '3.39' }

describe('decimals', () => {
  test.each([
    [100_000n, ['1.65'], 165_000n],
    [1n, ['0.5'], 1n],
    [1n, ['0.4999999999'], 0n],
    [100n, ['1234.5', '11.20'], 1_382_640n],
    [100n, ['0.0000000001', '0.005'], 0n],
    [9_007_199_254_740_900n, ['999999999.9999999999'], 9_007_199_254_740_899_999_099_280n],
    [0n, ['7'], 0n],
  ] as const)('%s times %j is %s, rounded only once at the end', (amount, factors, product) => {
    expect(times(amount, ...factors)).toBe(product)
  })

  test('a quotient has four decimals', () => {
    expect([
      quotientHalfUp(16_492n, 10_000n),
      quotientHalfUp(1n, 3n),
      quotientHalfUp(0n, 5n),
      quotientHalfUp(2n, 3n),
    ]).toEqual([...['1.6492', '0.3333', '0.0000', '0.6667']])
    expect(quotientHalfUp(10n ** 30n, 1n)).toBe(`${10n ** 30n}.0000`)
  })

  test('sums keep every digit, and equal sums have the same text', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3')
    expect(sum(['123456789012345678.0123456789', '0.9876543211'])).toBe('123456789012345679')
    expect(sum([])).toBe('0')
    expect(['12.50', '12.5', '012.5', '0.00', '7'].map(plainDecimal)).toEqual(['12.5', '12.5', '12.5', '0', '7'])
  })

  test('a text that is not a decimal throws', () => {
    for (const wrong of ['', '-1', '1e3', '.5', 'NaN']) expect(() => times(1n, wrong)).toThrow(RangeError)
  })
})

describe('the end of a stake', () => {
  const sale = (at: number) => ({ soldAt: day(at), multiple: '1.2' })

  test('a stake ends by a sale or with the exit of its offering; otherwise it does not end', () => {
    expect(endOf({ sale: null }, null)).toBeNull()
    expect(endOf({ sale: sale(8) }, null)).toEqual({ by: 'sale', multiple: '1.2' })
    expect(endOf({ sale: null }, anExit())).toEqual({ by: 'exit', multiple: '2.35' })
  })

  test('a stake sold before or at the exit does not take part in it; a later sale is ignored', () => {
    expect(endOf({ sale: sale(19) }, anExit())?.by).toBe('sale')
    expect(endOf({ sale: sale(20) }, anExit())?.by).toBe('sale')
    expect(endOf({ sale: sale(21) }, anExit())?.by).toBe('exit')
  })

  test('a position is sold if all its stakes are sold; otherwise the stakes that are left decide its status', () => {
    const [sold, kept] = [{ sale: sale(8) }, { sale: null }]
    expect(positionStatus([kept], null)).toBe('active')
    expect(positionStatus([sold, sold], null)).toBe('sold')
    expect(positionStatus([sold, kept], null)).toBe('active')
    expect(positionStatus([sold, kept], anExit())).toBe('exited')
    expect(positionStatus([kept], anExit({ status: 'failed' }))).toBe('failed')
    expect(positionStatus([sold], anExit({ status: 'failed' }))).toBe('sold')
  })

  test('the reason of an exit is shown only on exited and failed positions', () => {
    const exit = anExit({ reason: 'acquisition' })
    expect(POSITION_STATUSES.map((status) => exitReason(status, exit))).toEqual([
      ...[null, 'acquisition', null, 'acquisition'],
    ])
    expect(exitReason('exited', anExit())).toBeNull()
  })
})

describe('the value of a stake', () => {
  test('is the amount paid, without a valuation', () => {
    expect(worthOf(aStake())).toEqual({
      ...{ cost: 100_000n, value: 100_000n, unrealized: 0n, realized: 0n },
      ...{ held: true, sharesHeld: null, sharePrice: null },
    })
    expect(worthOf(aStake({ shares: SHARES }))).toMatchObject({ sharesHeld: '295', sharePrice: '3.39' })
  })

  test('is a multiple of the amount paid with a valuation by multiple, which ignores shares', () => {
    const worth = worthOf(aStake({ shares: SHARES }), { valuation: byMultiple('1.65') })
    expect(worth).toMatchObject({ value: 165_000n, unrealized: 65_000n, sharesHeld: null, sharePrice: null })
  })

  test('is the number of shares times the share price with a valuation by share price', () => {
    const worth = worthOf(aStake({ shares: SHARES }), { valuation: bySharePrice('3.051') })
    expect(worth).toMatchObject({ value: 90_005n, unrealized: -9_995n, sharesHeld: '295', sharePrice: '3.051' })
  })

  test('does not depend on a share price if the stake has no shares', () => {
    expect(worthOf(aStake(), { valuation: bySharePrice('3') })).toMatchObject({ value: 100_000n, sharePrice: null })
  })

  test('ignores a valuation before the investment, and uses a valuation at the same moment', () => {
    const [before, then] = [byMultiple('9', 4), byMultiple('9', 5)]
    expect(worthOf(aStake(), { valuation: before }).value).toBe(100_000n)
    expect(worthOf(aStake(), { valuation: then }).value).toBe(900_000n)
  })

  test('is zero after its end; then the proceeds minus the cost are realized', () => {
    const gone = { value: 0n, unrealized: 0n, held: false, sharePrice: null }
    const valuation = byMultiple('5')
    expect(worthOf(aStake(), { valuation, exit: anExit() })).toMatchObject({ ...gone, realized: 135_000n })
    expect(worthOf(aStake(), { exit: anExit({ status: 'failed', multiple: '0' }) }).realized).toBe(-100_000n)
    const sold = aStake({ shares: SHARES, sale: { soldAt: day(8), multiple: '1.15' } })
    expect(worthOf(sold)).toMatchObject({ ...gone, realized: 15_000n, sharesHeld: '0' })
  })
})

describe('sums', () => {
  const held = (sharesHeld: string | null, sharePrice: string | null) => ({ held: true, sharesHeld, sharePrice })
  const gone = { held: false, sharesHeld: '0', sharePrice: null }

  test('the number of shares is the sum of all parts, or null if a part has none', () => {
    expect(sharesHeld([held('295', '1'), held('0.5', '1'), gone])).toBe('295.5')
    expect(sharesHeld([held('295', '1'), held(null, null)])).toBeNull()
  })

  test('the share price is null if the parts that are still held have different prices', () => {
    expect(sharePrice([held('1', '11.80'), held('2', '11.8'), gone])).toBe('11.80')
    expect(sharePrice([held('1', '11.80'), held('2', '11.81')])).toBeNull()
    expect(sharePrice([held('1', '11.80'), held(null, null)])).toBeNull()
    expect(sharePrice([gone])).toBeNull()
  })

  test('a value above 2^53 - 1 is shown as 2^53 - 1', () => {
    expect(shownCents(2n ** 80n)).toBe(Number.MAX_SAFE_INTEGER)
    expect(shownCents(-(2n ** 80n))).toBe(-Number.MAX_SAFE_INTEGER)
    expect(shownCents(-5n)).toBe(-5)
  })
})

describe('for any history', () => {
  const decimal = (max: bigint) =>
    fc
      .tuple(fc.bigInt({ min: 0n, max }), fc.integer({ min: 0, max: 10 }), fc.bigInt({ min: 0n, max: 9_999_999_999n }))
      .map(([whole, digits, rest]) =>
        digits === 0 ? `${whole}` : `${whole}.${`${rest}`.padStart(10, '0').slice(0, digits)}`,
      )
  const time = fc.integer({ min: 1, max: 28 }).map(day)
  const multiple = decimal(999_999_999n)
  const stake: fc.Arbitrary<Stake> = fc.record({
    cost: fc.bigInt({ min: 1n, max: 90_071_992_547_409n }).map((units) => units * 100n),
    investedAt: time,
    shares: fc.option(fc.record({ count: decimal(10n ** 17n), price: decimal(10n ** 17n) })),
    sale: fc.option(fc.record({ soldAt: time, multiple })),
  })
  const aftermath: fc.Arbitrary<Aftermath> = fc.record({
    valuation: fc.option(
      fc.oneof(
        fc.record({ valuedAt: time, sharePrice: decimal(10n ** 17n), multiple: fc.constant(null) }),
        fc.record({ valuedAt: time, sharePrice: fc.constant(null), multiple }),
      ),
    ),
    exit: fc.option(
      fc.record({
        status: fc.constantFrom('exited' as const, 'failed' as const),
        reason: fc.constant(null),
        exitedAt: time,
        multiple,
      }),
    ),
  })

  test('cost plus gains equals value plus proceeds; a gain is realized or unrealized, never both; no value is negative', () => {
    fc.assert(
      fc.property(stake, aftermath, (one, after) => {
        const worth = stakeWorth(one, after)
        const end = endOf(one, after.exit)
        const brought = end === null ? 0n : times(one.cost, end.multiple)
        expect(worth.cost + worth.unrealized + worth.realized).toBe(worth.value + brought)
        expect(worth.held ? worth.realized : worth.unrealized).toBe(0n)
        expect(worth.value >= 0n && brought >= 0n).toBe(true)
        expect(worth.held).toBe(end === null)
      }),
    )
  })

  test('any split into parts adds up to the whole', () => {
    fc.assert(
      fc.property(fc.array(stake, { maxLength: 8 }), aftermath, fc.nat(8), (stakes, after, cut) => {
        const worths = stakes.map((one) => stakeWorth(one, after))
        const whole = addUp(worths)
        expect(addUp([addUp(worths.slice(0, cut)), addUp(worths.slice(cut))])).toEqual(whole)
        expect(addUp(worths.toReversed())).toEqual(whole)
      }),
    )
  })

  test('every shown amount is a whole number of cents, and a multiple is a decimal with four digits after the point', () => {
    fc.assert(
      fc.property(fc.array(stake, { maxLength: 4 }), aftermath, (stakes, after) => {
        const amounts = addUp(stakes.map((one) => stakeWorth(one, after)))
        for (const cents of Object.values(shownAmounts(amounts))) expect(Number.isSafeInteger(cents)).toBe(true)
        if (stakes.length === 0) expect(returnMultiple(amounts)).toBeNull()
        else expect(returnMultiple(amounts)).toMatch(/^\d+\.\d{4}$/)
      }),
    )
  })
})
