import type { Findings as FindingsOf } from '../findings.ts'

/**
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
export type Findings = FindingsOf<FindingKind>
