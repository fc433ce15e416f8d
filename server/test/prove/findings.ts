/** An error that a run found. Each proof defines its own kinds. */
export type Finding<Kind extends string> = { readonly kind: Kind; readonly what: string }

export type Findings<Kind extends string> = {
  readonly all: readonly Finding<Kind>[]
  add(kind: Kind, what: string): void
}

/**
 * One finding is enough to fail the run. Only this many findings are stored, because one error causes many findings.
 */
const KEPT = 10

export function noFindings<Kind extends string>(): Findings<Kind> {
  const all: Finding<Kind>[] = []
  return {
    all,
    add: (kind, what) => {
      if (all.length < KEPT) all.push({ kind, what })
    },
  }
}
