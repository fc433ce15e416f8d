import type { Findings as FindingsOf } from '../findings.ts'

/**
 * `lost`: an entitled receiver did not get a delivery, and the history does not have it. `stranger`: a receiver that
 * was never entitled got a delivery. `withdrawn`: a delivery was sent to a receiver that was no longer entitled.
 * `projection`: the data of a delivery is wrong. `signature`: the signature of a delivery is wrong. `duplicate`: a
 * delivery was sent again without a reason. `history`: the history differs from what happened. `stuck`: a delivery is
 * due and no worker sends it. `error`: a failure that is a bug.
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
