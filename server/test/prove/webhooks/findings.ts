/**
 * What a run found to be wrong:
 * `lost`: somebody entitled has it neither received nor in the history; `stranger`: somebody has it who never was
 * entitled; `withdrawn`: it was sent to somebody who was not entitled any more; `projection`: it does not say what it
 * should; `signature`: it is not signed as it should be; `duplicate`: it came again for no reason; `history`: the history
 * does not say what happened; `stuck`: it is due and nobody sends it; `error`: a failure that is a bug.
 */
export type FindingKind =
  | 'lost'
  | 'stranger'
  | 'withdrawn'
  | 'projection'
  | 'signature'
  | 'duplicate'
  | 'history'
  | 'stuck'
  | 'error'
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
