/**
 * ISO 8601 durations whose parts have a fixed length: weeks, days, hours, minutes, seconds, in whole numbers. Months and
 * years have none, so `P1M` is refused rather than guessed; a minus is refused because the clock only goes forward.
 */
const DURATION =
  /^P(?=[0-9T])(?:([0-9]{1,9})W)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?$/
const SECONDS_OF = [604_800, 86_400, 3_600, 60, 1] as const
export const SECONDS_PER_DAY = 86_400

/** In seconds; null for anything else than such a duration. */
export function parseDuration(text: string): number | null {
  const found = DURATION.exec(text)
  if (found === null) return null
  return SECONDS_OF.reduce((total, seconds, part) => total + seconds * Number(found[part + 1] ?? 0), 0)
}

/** The same length in days and parts of a day: `P3D`, `P1DT30M`, and `PT0S` for none. */
export function formatDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / SECONDS_PER_DAY), 'D'],
    [Math.floor(seconds / 3_600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const [days = '', ...ofDay] = parts.map(([amount, unit]) => (amount === 0 ? '' : `${amount}${unit}`))
  const time = ofDay.join('')
  if (days === '' && time === '') return 'PT0S'
  return `P${days}${time === '' ? '' : `T${time}`}`
}
