import {
  type CatalogueScope,
  CONCERNS,
  type Concern,
  inCatalogueOrder,
  SCOPE_CATALOGUE,
  type ScopeName,
  type ScopeNames,
} from '#modules/scopes/index.ts'

/** A sentence for people, and the scopes it stands for: a retired name says the same as what replaced it. */
export type SpokenScope = {
  readonly names: readonly ScopeName[]
  readonly sentence: string
  /** What exactly becomes visible; null where nothing sensitive does. */
  readonly sensitive: string | null
}

export type SpokenGroup = { readonly heading: string; readonly sentences: readonly SpokenScope[] }

/** What these scopes come to in plain words, grouped by what they concern, in the order in which people are shown them. */
export function spokenScopes(scopes: ScopeNames): readonly SpokenGroup[] {
  const entries = inCatalogueOrder(scopes).map((name) => SCOPE_CATALOGUE[name])
  return (Object.keys(CONCERNS) as Concern[])
    .map((concern) => ({
      heading: CONCERNS[concern],
      sentences: sentencesOf(entries.filter(({ concerns }) => concerns === concern)),
    }))
    .filter(({ sentences }) => sentences.length > 0)
}

function sentencesOf(entries: readonly CatalogueScope[]): readonly SpokenScope[] {
  const bySentence = Map.groupBy(entries, ({ consent }) => consent)
  return [...bySentence].map(([sentence, same]) => ({
    names: same.map(({ name }) => name),
    sentence,
    sensitive: same.find(({ sensitive }) => sensitive !== null)?.sensitive ?? null,
  }))
}
