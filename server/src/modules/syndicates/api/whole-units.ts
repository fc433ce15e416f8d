/** "Whole-dollar strings": every amount is a whole number of units, so the last two digits of its cents are zeros. */
export function wholeUnits(cents: number | string | null | undefined): string | null {
  return cents === null || cents === undefined ? null : (BigInt(cents) / 100n).toString()
}
