import type { Tellable } from '../privacy/tell-ranges.ts'
import type { Current } from './current.ts'
import { type Pair, pairName } from './pair.ts'

/** What ranges are made of, gathered part by part. */
export type Gathered = {
  add(credited: Current): void
  of(pair: Pair): readonly Tellable[]
}

/** Nothing but what ranges are made of is held of each investment, the few words of it shared by all. */
export function gatheredPeople(): Gathered {
  const all = new Map<string, Tellable[]>()
  const words = new Map<string, string>()
  const shared = <W extends string>(word: W): W => {
    const known = words.get(word)
    if (known === undefined) words.set(word, word)
    return (known ?? word) as W
  }
  return {
    add(credited) {
      const name = pairName(credited)
      const list = all.get(name) ?? []
      if (list.length === 0) all.set(name, list)
      const { investor, status, tier, time, told } = credited
      list.push({ investor, status: shared(status), tier, time: shared(time), told })
    },
    of: (pair) => all.get(pairName(pair)) ?? [],
  }
}
