import { useMemo } from 'react'
import { Chart, countWords } from './chart.tsx'
import { type Column, DataTable } from './data-table.tsx'

/** The ranges that a person can choose, with the unit and the number of points that the chart has. */
export const RANGES = {
  day: { label: '24 hours', unit: 'hour', count: 24 },
  week: { label: '7 days', unit: 'hour', count: 168 },
  quarter: { label: '90 days', unit: 'day', count: 90 },
} as const
export type Range = keyof typeof RANGES

const UNIT_SECONDS = { hour: 3_600, day: 86_400 } as const

type Point = { readonly begins_at: string }

export type Line<P extends Point> = {
  readonly label: string
  /** The value at a point, or null if nothing is drawn. The point is undefined for an hour or a day that the series leaves out. */
  readonly of: (point: P | undefined) => number | null
  readonly tone?: 'accent' | 'danger' | 'warning'
}

type TimelineProps<P extends Point> = {
  readonly label: string
  readonly range: Range
  /** The points as the API returns them, without empty hours and days. */
  readonly points: readonly P[]
  readonly lines: readonly Line<P>[]
  /** Formats a value at the axis and in the table. */
  readonly words?: (value: number) => string
}

/** Shows a series of the API as a chart, and the same numbers as a table. */
export function Timeline<P extends Point>({ label, range, points, lines, words = countWords }: TimelineProps<P>) {
  const shown = useMemo(() => withinRange(points, range), [points, range])
  const series = useMemo(
    () => lines.map(({ of, ...line }) => ({ ...line, values: shown.map(({ point }) => of(point)) })),
    [lines, shown],
  )
  const times = useMemo(() => shown.map(({ seconds }) => seconds), [shown])
  const rows = shown.flatMap(({ point }) => (point === undefined ? [] : [point])).toReversed()
  const columns: readonly Column<P>[] = [
    { header: 'Begins', cell: ({ begins_at }) => <time dateTime={begins_at}>{beginWords(begins_at, range)}</time> },
    ...lines.map(({ label: header, of }): Column<P> => {
      const cell = (point: P) => {
        const value = of(point)
        return value === null ? '–' : words(value)
      }
      return { header, cell, align: 'end' }
    }),
  ]
  return (
    <figure className="timeline">
      <Chart
        label={`${label}, ${RANGES[range].label}. The table below has the numbers.`}
        times={times}
        series={series}
        words={words}
      />
      {lines.length > 1 && (
        <ul className="legend">
          {lines.map(({ label: name, tone = 'accent' }) => (
            <li key={name}>
              <span className={`swatch ${tone}`} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{label} as a table</summary>
        {rows.length === 0 ? (
          <p className="hint">The series has no values in this range.</p>
        ) : (
          <DataTable
            label={`${label}, newest first`}
            rows={rows}
            columns={columns}
            rowKey={({ begins_at }) => begins_at}
          />
        )}
      </details>
    </figure>
  )
}

const hourly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const daily = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats the beginning of an hour in the person's own zone, or of a day in UTC. */
const beginWords = (at: string, range: Range) => (RANGES[range].unit === 'day' ? daily : hourly).format(new Date(at))

/** Every hour or day of the range, oldest first, with its point if the series has one. */
function withinRange<P extends Point>(points: readonly P[], range: Range) {
  const { unit, count } = RANGES[range]
  const step = UNIT_SECONDS[unit]
  const last = Math.floor(Date.now() / 1_000 / step) * step
  const bySeconds = new Map(points.map((point) => [Date.parse(point.begins_at) / 1_000, point]))
  return Array.from({ length: count }, (_, at) => {
    const seconds = last - (count - 1 - at) * step
    return { seconds, point: bySeconds.get(seconds) }
  })
}

/** The sum of a line over the range. */
export function total<P extends Point>(points: readonly P[], range: Range, of: (point: P) => number): number {
  return withinRange(points, range).reduce((sum, { point }) => sum + (point === undefined ? 0 : of(point)), 0)
}
