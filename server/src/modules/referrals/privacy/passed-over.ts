/** What decides whether the ranges tell of a credited investment at all. */
export type Standing = {
  /** From the company, as of now. */
  readonly hidden: boolean
  /** Whether the app could see rows of the company when, or after, its investor was first credited to one of the app's codes there. */
  readonly known: boolean
}

/**
 * "An attacker … learns nothing about one person": whoever an app has, or could have, by a row does not hide anybody else
 * in a group, and is in no ranges of that company that the app reads later. They are not counted with k others besides either:
 * taken off again by whoever knows them, the ranges would no longer begin at multiples of k. Nor is whatever is hidden from
 * the company: it has no row, and ranges beside rows would tell of it.
 */
export function passedOver({ hidden, known }: Standing): boolean {
  return hidden || known
}
