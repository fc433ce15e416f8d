import { cpus, loadavg } from 'node:os'

export type Row = readonly [name: string, ...values: string[]]

/** Everything that this process has printed, for a report. */
const printed: { readonly title: string; readonly rows: readonly Row[] }[] = []
export const printedTables = (): typeof printed => printed

/** Prints rows of a name and its values in columns, and the conditions of the measurement. */
export function printTable(title: string, rows: readonly Row[]): void {
  const [load = 0] = loadavg()
  const all: readonly Row[] = [
    ...rows,
    ['machine', `${cpus().length} × ${cpus()[0]?.model.trim() ?? '?'}, load ${load.toFixed(1)}`],
  ]
  printed.push({ title, rows: all })
  // A single value is a remark and may have any length.
  const inColumns = all.filter((row) => row.length > 2)
  const width = (at: number) => Math.max(0, ...inColumns.map((row) => row[at]?.length ?? 0))
  const nameWidth = Math.max(...all.map(([name]) => name.length))
  const lines = all.map(([name, ...values]) => {
    const placed = values.length === 1 ? values : values.map((value, at) => value.padStart(width(at + 1)))
    return `  ${[name.padEnd(nameWidth), ...placed].join('  ')}`.trimEnd()
  })
  process.stdout.write(`\n${title}\n\n${lines.join('\n')}\n\n`)
}

export const perSecond = (count: number, ms: number) => whole((count * 1_000) / ms)

export const seconds = (value: number) => `${value.toFixed(1)} s`

export const whole = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const range = (values: readonly number[]) => `${whole(Math.min(...values))}–${whole(Math.max(...values))}`

/** The percentile by nearest rank. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

/** A table in Markdown. A row with a single value fills the second column. */
export function markdownTable(rows: readonly Row[]): string {
  const width = Math.max(...rows.map((row) => row.length))
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim().replaceAll('|', '\\|')).join(' | ')} |`
  const [first, ...others] = rows
  if (first === undefined) return ''
  const heads = first[0] === '' ? first : Array.from({ length: width }, () => '')
  const rule = `|${' --- |'.repeat(width)}`
  return [line(heads), rule, ...(first[0] === '' ? others : rows).map(line)].join('\n')
}
