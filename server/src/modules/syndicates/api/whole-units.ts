/** Every amount is a whole number of units, so the last two digits of its cents are zeros. */
export function wholeUnits(cents: number | null): string | null {
  return cents === null ? null : (BigInt(cents) / 100n).toString()
}
