import type { Findings as FindingsOf, Finding as Found } from '../findings.ts'

/**
 * `differs`: a reader's copy is not exactly what the reader may see. `unpublished`: the published state differs from
 * the facts. `order`: an older state was applied after a newer state. `identity`: a reader without the scope saw a
 * person. `noise`: a reader got a row for a change that it cannot see. `answer`: a response breaks the contract.
 * `error`: a failure that is a bug.
 */
export type FindingKind = 'differs' | 'unpublished' | 'order' | 'identity' | 'noise' | 'answer' | 'error'
export type Finding = Found<FindingKind>
export type Findings = FindingsOf<FindingKind>
