/** `04:51:03`, in the time zone of the machine. */
export function time(date: Date): string {
  return date.toTimeString().slice(0, 8)
}

/** `1 event`, `5 events`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** `$1,250.00` */
export function money(cents: number, currency: string): string {
  return (cents / 100).toLocaleString('en', { style: 'currency', currency })
}

/** `2026-11-18 05:00:35`, of a time as the API writes it. */
export function when(time: string | null): string {
  return time === null ? '–' : time.slice(0, 19).replace('T', ' ')
}
