import { type Entry, type GroupRanges, type Guards, groupRanges, STATUSES, TIERS } from '../ranges.ts'

export type Dimension = 'by_status' | 'by_amount_tier'

/** The categories of a person; a person with several investments may have several. */
type Kind = readonly number[]
/** How many people there are of each kind. */
type Spread = readonly number[]

export type Asked = {
  readonly dimension: Dimension
  readonly k: number
  /**
   * The size of the largest candidate group. It is the end of a range, so that all candidates of a response are tried.
   */
  readonly most: number
  /** Whether people may have several investments. */
  readonly several: boolean
  readonly guards: Guards
}

/** A response, and every candidate group that gives it. */
type Answer = { readonly investors: string; readonly shown: string; readonly candidates: readonly Spread[] }

const categoriesOf = (dimension: Dimension): readonly string[] => (dimension === 'by_status' ? STATUSES : TIERS)

/**
 * What an attacker who knows all rules can conclude from one response about a group: all statements that are true for
 * every candidate group that gives this response. Only candidates of a size that fits the responses in the other
 * dimensions are left. There are two kinds of statements: a set of categories has no person, all persons, or between 1
 * and k - 1 persons; or some category of the group has between 1 and k - 1 persons.
 */
export function certainties(asked: Asked): string[] {
  const kinds = kindsOf(categoriesOf(asked.dimension).length, asked.several)
  const others = answersOf({ ...asked, dimension: 'by_amount_tier' })
  return answersOf(asked).flatMap(({ investors, shown, candidates }) => {
    const sizes = sizesIn(others.filter((other) => other.investors === investors))
    return sizes.flatMap((among) => {
      const left = candidates.filter((candidate) => among.has(peopleIn(candidate)))
      return left.length === 0 ? [] : surely(left, kinds, asked).map((sure) => `${investors} ${shown}: ${sure}`)
    })
  })
}

/** The sizes that a group may have according to the responses in two more dimensions. */
function sizesIn(answers: readonly Answer[]): ReadonlySet<number>[] {
  const sizes = distinct(answers.map(({ candidates }) => new Set(candidates.map(peopleIn))))
  return distinct(sizes.flatMap((one) => sizes.map((other) => both(one, other)))).filter(({ size }) => size > 0)
}

const both = (one: ReadonlySet<number>, other: ReadonlySet<number>) => new Set([...one].filter((at) => other.has(at)))

function distinct(all: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  return [...new Map(all.map((one) => [[...one].toSorted((a, b) => a - b).join(' '), one])).values()]
}

function answersOf({ dimension, k, most, several, guards }: Asked): Answer[] {
  const categories = categoriesOf(dimension)
  const kinds = kindsOf(categories.length, several)
  const given = spreads(kinds.length, most).flatMap((candidate) => {
    const ranges = groupRanges(entriesOf(candidate, kinds, dimension), k, guards)
    return ranges === null ? [] : [{ candidate, ...answer(ranges, dimension) }]
  })
  return [...Map.groupBy(given, ({ investors, shown }) => `${investors} ${shown}`).values()].flatMap((alike) => {
    const [first] = alike
    return first === undefined ? [] : [{ ...first, candidates: alike.map(({ candidate }) => candidate) }]
  })
}

const answer = (ranges: GroupRanges, dimension: Dimension) => ({
  investors: JSON.stringify(ranges.investors),
  shown: JSON.stringify(ranges[dimension]),
})

function kindsOf(categories: number, several: boolean): Kind[] {
  const all = [...Array(categories).keys()]
  if (!several) return all.map((category) => [category])
  return subsets(categories).map((mask) => all.filter((category) => mask & (1 << category)))
}

/** All subsets except the empty one, as bits. */
const subsets = (of: number): number[] => [...Array(2 ** of).keys()].slice(1)

function spreads(kinds: number, most: number): Spread[] {
  if (kinds === 0) return [[]]
  return spreads(kinds - 1, most).flatMap((rest) => {
    const room = most - peopleIn(rest)
    return Array.from({ length: room + 1 }, (_, count) => [...rest, count])
  })
}

function entriesOf(candidate: Spread, kinds: readonly Kind[], dimension: Dimension): Entry[] {
  return candidate.flatMap((count, at) =>
    Array.from({ length: count }, (_, nth) => `${at} ${nth}`).flatMap((investor) =>
      (kinds[at] ?? []).map((category): Entry => entryIn(category, dimension, investor)),
    ),
  )
}

function entryIn(category: number, dimension: Dimension, investor: string): Entry {
  const [status, tier] = dimension === 'by_status' ? [STATUSES[category], TIERS[0]] : [STATUSES[0], TIERS[category]]
  return { investor, status: status ?? 'active', tier: tier ?? 'small', time: 'direct' }
}

const peopleIn = (candidate: Spread): number => candidate.reduce((sum, count) => sum + count, 0)

function surely(candidates: readonly Spread[], kinds: readonly Kind[], { dimension, k }: Asked): string[] {
  const categories = categoriesOf(dimension)
  const masks = subsets(categories.length)
  const kindMasks = kinds.map((kind) => kind.reduce((mask, category) => mask | (1 << category), 0))
  const within = (candidate: Spread, mask: number) =>
    candidate.reduce((sum, count, at) => sum + ((kindMasks[at] ?? 0) & mask ? count : 0), 0)
  const named = (mask: number) => categories.filter((_, at) => mask & (1 << at)).join(' + ')
  const ofMasks = masks.flatMap((mask) => {
    const counts = candidates.map((candidate) => within(candidate, mask))
    const [least, most] = bounds(counts)
    const isEverybody = mask !== masks.at(-1) && candidates.every((candidate, at) => peopleIn(candidate) === counts[at])
    return most === 0 || isEverybody || (least > 0 && most < k) ? [`${least} to ${most} in ${named(mask)}`] : []
  })
  const hasSmall = (candidate: Spread) =>
    categories.some((_, at) => within(candidate, 1 << at) > 0 && within(candidate, 1 << at) < k)
  return candidates.every(hasSmall) ? [...ofMasks, 'a person in a category with fewer than k'] : ofMasks
}

/** The minimum and the maximum. There are more numbers than Math.min accepts as arguments. */
function bounds(counts: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const count of counts) [least, most] = [Math.min(least, count), Math.max(most, count)]
  return [least, most]
}
