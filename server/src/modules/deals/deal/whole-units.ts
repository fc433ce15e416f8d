/** bigint as it arrives, in text: every amount here is a whole number of units, so its last two digits are zeros. */
export function wholeUnitsText(cents: string): string {
  return (BigInt(cents) / 100n).toString()
}

export function wholeUnitsOrNull(cents: string | null): string | null {
  return cents === null ? null : wholeUnitsText(cents)
}
