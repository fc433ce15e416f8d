import type { DemoFact } from './timeline.ts'

/**
 * Puts the facts into waves: facts of one wave do not depend on each other, so they can be applied side by side. Two facts
 * keep their order if both touch the same thing, unless both only refer to it.
 */
export function wavesOf(facts: readonly DemoFact[]): readonly (readonly DemoFact[])[] {
  const waves: DemoFact[][] = []
  /** The last wave that changes a thing, and the last that has anything to do with it. */
  const changedIn = new Map<string, number>()
  const touchedIn = new Map<string, number>()
  for (const fact of facts) {
    const { changed, referred } = touchedBy(fact)
    let wave = 0
    for (const thing of changed) wave = Math.max(wave, 1 + (touchedIn.get(thing) ?? -1))
    for (const thing of referred) wave = Math.max(wave, 1 + (changedIn.get(thing) ?? -1))
    for (const thing of changed) changedIn.set(thing, wave)
    for (const thing of [...changed, ...referred]) touchedIn.set(thing, Math.max(wave, touchedIn.get(thing) ?? 0))
    waves[wave] ??= []
    waves[wave]?.push(fact)
  }
  return waves
}

type Touched = { readonly changed: readonly string[]; readonly referred: readonly string[] }

function touchedBy({ fact, about }: DemoFact): Touched {
  const named = new Set(about.referred)
  addIds(named, fact.data)
  const changed = [...about.changed]
  const referred: string[] = []
  for (const id of named) (onlyRefers(fact.type, id) ? referred : changed).push(id)
  // A fact between things that it does not change, as who follows whom: facts between the same things keep their order.
  return { changed: changed.length === 0 ? [referred.join(' ')] : changed, referred }
}

/** Such a fact needs the thing to be there, and leaves it as it is. Everything else that a fact names it may change. */
function onlyRefers(type: string, id: string): boolean {
  if (id.startsWith('usr_')) return !/^user\.|\.(?:person|manager)_set$/.test(type)
  if (id.startsWith('ofr_')) return /^investment|^offering\.user_invited$/.test(type)
  if (id.startsWith('syn_')) return /^membership\.|^join_session\./.test(type)
  if (!id.startsWith('co_')) return false
  return /^company\.(?:un)?followed$|^company_update\.|^question\.|^comment\.|^investment/.test(type)
}

const ID = /^[a-z]+_[0-9A-Za-z]{24}$/

function addIds(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string') {
    if (ID.test(value)) ids.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) addIds(ids, each)
  }
}
