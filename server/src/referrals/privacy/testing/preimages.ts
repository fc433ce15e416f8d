import { type Entry, type GroupRanges, type Guards, groupRanges, STATUSES, TIERS } from '../ranges.ts'

export type Dimension = 'by_status' | 'by_amount_tier'

/** The categories of a person; a person with several investments may have several. */
type Kind = readonly number[]
/** How many people there are of each kind. */
type Spread = readonly number[]

export type Asked = {
  readonly dimension: Dimension
  readonly k: number
  /** Tries all worlds of up to this many people. It is the end of a range, so that every world of a response is tried. */
  readonly most: number
  /** Whether people may have several investments. */
  readonly several: boolean
  readonly guards: Guards
}

/** A response, and every world that gives it. */
type Answer = { readonly investors: string; readonly shown: string; readonly worlds: readonly Spread[] }

const categoriesOf = (dimension: Dimension): readonly string[] => (dimension === 'by_status' ? STATUSES : TIERS)

/**
 * What an attacker who knows all the rules can conclude from one response about a group: everything that is true in every world that gives
 * this response, with the size of the group narrowed by the other dimensions. For each set of categories: that it has no person, all
 * persons, or between 1 and k - 1. And for the whole group: that some category has between 1 and k - 1 persons.
 */
export function certainties(asked: Asked): string[] {
  const kinds = kindsOf(categoriesOf(asked.dimension).length, asked.several)
  const others = answersOf({ ...asked, dimension: 'by_amount_tier' })
  return answersOf(asked).flatMap(({ investors, shown, worlds }) => {
    const sizes = sizesIn(others.filter((other) => other.investors === investors))
    return sizes.flatMap((among) => {
      const left = worlds.filter((world) => among.has(peopleIn(world)))
      return left.length === 0 ? [] : surely(left, kinds, asked).map((sure) => `${investors} ${shown}: ${sure}`)
    })
  })
}

/** The sizes that a group may have, given the responses in two more dimensions. */
function sizesIn(answers: readonly Answer[]): ReadonlySet<number>[] {
  const sizes = distinct(answers.map(({ worlds }) => new Set(worlds.map(peopleIn))))
  return distinct(sizes.flatMap((one) => sizes.map((other) => both(one, other)))).filter(({ size }) => size > 0)
}

const both = (one: ReadonlySet<number>, other: ReadonlySet<number>) => new Set([...one].filter((at) => other.has(at)))

function distinct(all: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  return [...new Map(all.map((one) => [[...one].toSorted((a, b) => a - b).join(' '), one])).values()]
}

function answersOf({ dimension, k, most, several, guards }: Asked): Answer[] {
  const categories = categoriesOf(dimension)
  const kinds = kindsOf(categories.length, several)
  const given = spreads(kinds.length, most).flatMap((world) => {
    const told = groupRanges(entriesOf(world, kinds, dimension), k, guards)
    return told === null ? [] : [{ world, ...answer(told, dimension) }]
  })
  return [...Map.groupBy(given, ({ investors, shown }) => `${investors} ${shown}`).values()].flatMap((alike) => {
    const [first] = alike
    return first === undefined ? [] : [{ ...first, worlds: alike.map(({ world }) => world) }]
  })
}

const answer = (told: GroupRanges, dimension: Dimension) => ({
  investors: JSON.stringify(told.investors),
  shown: JSON.stringify(told[dimension]),
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

function entriesOf(world: Spread, kinds: readonly Kind[], dimension: Dimension): Entry[] {
  return world.flatMap((count, at) =>
    Array.from({ length: count }, (_, nth) => `${at} ${nth}`).flatMap((investor) =>
      (kinds[at] ?? []).map((category): Entry => entryIn(category, dimension, investor)),
    ),
  )
}

function entryIn(category: number, dimension: Dimension, investor: string): Entry {
  const [status, tier] = dimension === 'by_status' ? [STATUSES[category], TIERS[0]] : [STATUSES[0], TIERS[category]]
  return { investor, status: status ?? 'active', tier: tier ?? 'small', time: 'direct' }
}

const peopleIn = (world: Spread): number => world.reduce((sum, count) => sum + count, 0)

function surely(worlds: readonly Spread[], kinds: readonly Kind[], { dimension, k }: Asked): string[] {
  const categories = categoriesOf(dimension)
  const masks = subsets(categories.length)
  const kindMasks = kinds.map((kind) => kind.reduce((mask, category) => mask | (1 << category), 0))
  const within = (world: Spread, mask: number) =>
    world.reduce((sum, count, at) => sum + ((kindMasks[at] ?? 0) & mask ? count : 0), 0)
  const named = (mask: number) => categories.filter((_, at) => mask & (1 << at)).join(' + ')
  const ofMasks = masks.flatMap((mask) => {
    const counts = worlds.map((world) => within(world, mask))
    const [least, most] = bounds(counts)
    const isEverybody = mask !== masks.at(-1) && worlds.every((world, at) => peopleIn(world) === counts[at])
    return most === 0 || isEverybody || (least > 0 && most < k) ? [`${least} to ${most} in ${named(mask)}`] : []
  })
  const hasSmall = (world: Spread) =>
    categories.some((_, at) => within(world, 1 << at) > 0 && within(world, 1 << at) < k)
  return worlds.every(hasSmall) ? [...ofMasks, 'a person in a category with fewer than k'] : ofMasks
}

/** For more numbers than fit into the arguments of Math.min. */
function bounds(counts: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const count of counts) [least, most] = [Math.min(least, count), Math.max(most, count)]
  return [least, most]
}
