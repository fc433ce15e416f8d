import { createHash } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { type Cohort, cohortOf } from '../../weeks/cohort.ts'
import type { Current } from '../../weeks/current.ts'
import type { tellRanges } from '../tell-ranges.ts'
import { appOf, CODE_NUMBERS, COMPANY_NUMBERS, type Investment, K, type MadeUpWorld, WEEKS } from './made-up-world.ts'

/** What a mutant does otherwise when a week is released. */
export type Releasing = {
  readonly tell?: typeof tellRanges<Current>
  readonly oneKeyForAll?: true
}

/** People of one code and company of whom a Monday could tell: those not told yet, or those who changed since. */
export type Truth = {
  readonly week: number
  readonly code: number
  readonly company: number
  readonly kind: 'credited' | 'corrections'
  readonly entries: readonly Current[]
}

export type Monday = { readonly cohorts: readonly Cohort[]; readonly truths: readonly Truth[] }

export const weekName = (week: number) => `2026-W${String(week + 1).padStart(2, '0')}`
export const codeId = (code: number) => `rc_${code}` as Id<'referralCode'>
const PAIRS = CODE_NUMBERS.flatMap((code) => COMPANY_NUMBERS.map((company) => ({ code, company })))

type Said = Pick<Current, 'seen' | 'told'>
type Memory = Map<string, Said>

/** What the product's own rules release of a world, week after week. */
export function mondays(world: MadeUpWorld, releasing: Releasing = {}): Monday[] {
  const memory: Memory = new Map()
  return [...Array(WEEKS).keys()].map((week) => {
    const known = creditedBy(world, week).map((one) => asOf(one, week, memory))
    const ofPairs = PAIRS.map(({ code, company }) => {
      const all = known.filter((one) => one.code === codeId(code) && one.company === companyId(company))
      return { code, company, all: all.filter(hasNews) }
    })
    const cohorts = ofPairs.flatMap(({ code, company, all: [first, ...rest] }) =>
      first === undefined ? [] : cohortOf([first, ...rest], around({ code, company, week }, releasing), releasing.tell),
    )
    for (const { status, tier, ...one } of cohorts.flatMap(({ told }) => told)) {
      memory.set(one.investment, { seen: { status, tier }, told: one.told })
    }
    return { cohorts, truths: ofPairs.flatMap(({ all, ...pair }) => truthsOf(all, { ...pair, week })) }
  })
}

/** "Paused codes credit nothing new." What comes late is there when we have heard of it. */
export function creditedBy({ investments, paused }: MadeUpWorld, week: number): (Investment & { id: string })[] {
  return investments
    .map((one, at) => ({ ...one, id: `${at}` }))
    .filter((one) => one.week + one.late <= week && !paused[one.code]?.includes(one.week))
}

const companyId = (company: number) => `co_${company}` as Id<'company'>

function asOf(one: Investment & { id: string }, week: number, memory: Memory): Current {
  const [status, from] = one.becomes
  return {
    code: codeId(one.code),
    app: `app_${appOf(one.code)}` as Id<'app'>,
    company: companyId(one.company),
    investment: one.id as Id<'investment'>,
    investor: one.person as Id<'user'>,
    week: weekName(one.week),
    ...{ time: one.time, tier: one.tier, cents: 0 as Cents },
    status: week >= from ? status : 'active',
    ...(memory.get(one.id) ?? { seen: null, told: null }),
  }
}

function hasNews({ seen, told, status, tier }: Current): boolean {
  return [seen, told].some((said) => said?.status !== status || said.tier !== tier)
}

type Place = { readonly code: number; readonly company: number; readonly week: number }

function around({ code, company, week }: Place, { oneKeyForAll }: Releasing) {
  const key = createHash('sha256').update(oneKeyForAll ? 'one' : `${appOf(code)} ${company}`)
  return { week: weekName(week), k: K, key: key.digest(), since: '' }
}

function truthsOf(all: readonly Current[], place: Place): Truth[] {
  const untold = all.filter(({ told }) => told === null)
  const changed = all.filter(
    ({ told, status, tier }) => told !== null && (told.status !== status || told.tier !== tier),
  )
  return [
    { ...place, kind: 'credited', entries: untold },
    { ...place, kind: 'corrections', entries: changed },
  ]
}
