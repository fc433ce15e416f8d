import type { Findings as FindingsOf, Finding as Found } from '../findings.ts'

/**
 * `differs`: a reader does not have exactly what it may see; `unpublished`: the published state differs from the facts;
 * `order`: an older state was applied after a newer one; `identity`: a reader without the scope saw a person; `noise`: a row
 * for a change that the reader cannot see; `answer`: a response that is not in the contract; `error`: a failure that is a bug.
 */
export type FindingKind = 'differs' | 'unpublished' | 'order' | 'identity' | 'noise' | 'answer' | 'error'
export type Finding = Found<FindingKind>
export type Findings = FindingsOf<FindingKind>
