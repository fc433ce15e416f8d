import type { Findings as FindingsOf } from '../findings.ts'

/**
 * `lost`: an entitled receiver has it neither received nor in the history; `stranger`: a receiver got it that was never
 * entitled; `withdrawn`: it was sent to a receiver that was no longer entitled; `projection`: its data is wrong; `signature`:
 * its signature is wrong; `duplicate`: it came again without a reason; `history`: the history differs from what happened;
 * `stuck`: it is due and no worker sends it; `error`: a failure that is a bug.
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
