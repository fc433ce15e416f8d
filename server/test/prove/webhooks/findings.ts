import type { Findings as FindingsOf } from '../findings.ts'

/**
 * `lost`: an entitled receiver has it neither received nor in the history; `stranger`: a receiver has it that never was
 * entitled; `withdrawn`: it was sent to a receiver that was not entitled any more; `projection`: it does not say what it
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
