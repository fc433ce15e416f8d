import type { Findings as FindingsOf, Finding as Found } from '../findings.ts'

/**
 * `differs`: a reader does not hold exactly what it may see; `unpublished`: what is published is not what the facts say;
 * `order`: something older was applied after something newer; `identity`: a person was shown to whom they must not be;
 * `noise`: a row for a change that the reader cannot see; `answer`: an answer the contract does not know; `error`: a failure that is a bug.
 */
export type FindingKind = 'differs' | 'unpublished' | 'order' | 'identity' | 'noise' | 'answer' | 'error'
export type Finding = Found<FindingKind>
export type Findings = FindingsOf<FindingKind>
