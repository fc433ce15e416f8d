/**
 * What a run found to be wrong:
 * `differs`: a reader does not hold exactly what it may see; `unpublished`: what is published is not what the facts say;
 * `order`: something older was applied after something newer; `identity`: a person was shown to whom they must not be;
 * `answer`: an answer the contract does not know; `error`: a failure that is a bug.
 */
export type FindingKind = 'differs' | 'unpublished' | 'order' | 'identity' | 'answer' | 'error'
export type Finding = { readonly kind: FindingKind; readonly what: string }

export type Findings = {
  readonly all: readonly Finding[]
  add(kind: FindingKind, what: string): void
}

/** One is enough to fail; of what follows from it only so many are kept. */
const KEPT = 10

export function noFindings(): Findings {
  const all: Finding[] = []
  return {
    all,
    add: (kind, what) => {
      if (all.length < KEPT) all.push({ kind, what })
    },
  }
}
