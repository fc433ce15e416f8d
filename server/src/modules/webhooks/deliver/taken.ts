import type { Lane } from './lane.ts'
import type { Parcel } from './parcels/parcel.ts'
import type { Asked, Letter } from './send-delivery.ts'

/** A delivery that was taken up, out of the queue or out of a parcel. */
export type Taken = {
  readonly lane: Lane
  readonly asked: Asked
  /** Null for one of the queue. */
  readonly parcel: Parcel | null
  readonly letter: () => Letter
}
