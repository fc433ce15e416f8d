import fc from 'fast-check'
import { ksOf, nextMonday, sample } from './attacks.ts'
import { idOf } from './ids.ts'
import { play } from './play.ts'
import { groupsOf, isSmall } from './reference-model.ts'
import { aWorld, CODE_NUMBERS, type MadeUpWorld, MOMENTS, neighbours, WEEKS } from './worlds.ts'

type Range = { readonly min: number; readonly max: number | null }
type MaybeRange = { readonly investors: Range } | null
type Part = { readonly company: string; readonly credited: MaybeRange; readonly corrections: MaybeRange }
type Stats = {
  /** The weeks, newest first. */
  readonly data: readonly { readonly companies: readonly Part[] }[]
  readonly meta: { readonly referral_code: string }
}

const KINDS = ['credited', 'corrections'] as const

/**
 * Returns the same world, except that every app has lost its right to see rows by the end of the run. So every app
 * reads every week as ranges.
 */
const withoutRows = (world: MadeUpWorld): MadeUpWorld => ({
  ...world,
  rows: world.rows.map((ofApp) =>
    ofApp.map((all) => all.map(({ from, until }) => ({ from, until: Math.min(until, MOMENTS) }))),
  ),
})

/**
 * Compares the ranges that the product shows at the end of a run with the groups of `reference-model.ts`, a second
 * implementation of the product's rules. Returns a world in which ranges and groups differ, or null if there is none.
 */
export async function disagreement(batch: number): Promise<unknown> {
  const ks = ksOf(batch)
  const worlds = sample(
    fc.oneof(
      aWorld,
      neighbours.map(([one]) => one),
    ),
    batch,
  ).map(withoutRows)
  const learnt = await play(worlds, { ks, monday: nextMonday() })
  for (const [at, world] of worlds.entries()) {
    const stats = (learnt[at] ?? []).filter((text) => text.startsWith('{"data"')).slice(-CODE_NUMBERS.length)
    const shown = new Map(stats.flatMap((text) => rangesIn(JSON.parse(`${text}}}`))))
    const large = groupsOf(world, ks).filter((group) => !isSmall(group))
    const differs = large.find(({ week, code, company, kind, people }) => {
      const place = `${idOf('referralCode', at, code)} ${idOf('company', at, company)}`
      return !includes(shown.get(`${week} ${place} ${kind}`), people.size)
    })
    if (differs !== undefined || shown.size !== large.length) return { world, shown: [...shown], large, differs }
  }
  return null
}

function rangesIn({ data, meta }: Stats): [string, Range][] {
  return data.flatMap(({ companies }, at) =>
    companies.flatMap((part) =>
      KINDS.flatMap((kind): [string, Range][] => {
        const published = part[kind]
        const name = `${WEEKS - 1 - at} ${meta.referral_code} ${part.company} ${kind}`
        return published === null ? [] : [[name, published.investors]]
      }),
    ),
  )
}

const includes = (range: Range | undefined, size: number) =>
  range !== undefined && range.min <= size && size <= (range.max ?? size)
