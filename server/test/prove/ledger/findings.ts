import type { Findings as FindingsOf, Finding as Found } from '../findings.ts'

/**
 * `differs`: a reader's copy is not exactly what the reader may see. `unpublished`: the published state differs from
 * the facts. `order`: records or changes came in a wrong order, or a record is twice on a page. `identity`: a response
 * showed an investor's identity to a reader without read:investors:pii, or hid it from a reader with that scope.
 * `noise`: a reader got a row for a change that the reader cannot see. `answer`: a response breaks the contract.
 * `error`: a failure that is a bug.
 */
export type FindingKind = 'differs' | 'unpublished' | 'order' | 'identity' | 'noise' | 'answer' | 'error'
export type Finding = Found<FindingKind>
export type Findings = FindingsOf<FindingKind>
