import { cpus, loadavg } from 'node:os'

/** Prints rows of name and value, the values in one column, and on what kind of moment they were taken. */
export function printTable(title: string, rows: readonly (readonly [name: string, value: string])[]): void {
  const [load = 0] = loadavg()
  const all = [
    ...rows,
    ['machine', `${cpus().length} × ${cpus()[0]?.model.trim() ?? '?'}, load ${load.toFixed(1)}`] as const,
  ]
  const width = Math.max(...all.map(([name]) => name.length))
  const lines = all.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  process.stdout.write(`\n${title}\n\n${lines.join('\n')}\n\n`)
}

export const perSecond = (count: number, ms: number) => Math.round((count * 1_000) / ms).toLocaleString('en')

export const seconds = (value: number) => `${value.toFixed(1)} s`

/** The value below which so large a part of them lies; the nearest rank. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}
