import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

export type Series = {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly tone?: 'accent' | 'danger' | 'warning'
}

type ChartProps = {
  /** Tells screen readers what the lines show. */
  readonly label: string
  /** Unix times in seconds, in ascending order. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly height?: number
  /** Formats a value at the axis. */
  readonly words?: (value: number) => string
}

/** Draws lines over time. The first chart loads uPlot. */
export function Chart({ label, times, series, height = 160, words = countWords }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const isDark = useSyncExternalStore(watchScheme, () => SCHEME.matches)
  const [failure, setFailure] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart has to be drawn again when the colour scheme changes
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const drawing = draw(element, { times, series, height, words })
    drawing.catch(setFailure)
    return () =>
      void drawing.then(
        (destroy) => destroy(),
        () => {},
      )
  }, [times, series, height, words, isDark])
  // The file of uPlot may be missing. The router then shows an error instead of the page.
  if (failure !== null) throw failure
  return <div ref={box} className="chart" role="img" aria-label={label} style={{ minHeight: height }} />
}

export const countWords = (value: number) => value.toLocaleString('en')

const SCHEME = matchMedia('(prefers-color-scheme: dark)')

function watchScheme(onChange: () => void): () => void {
  SCHEME.addEventListener('change', onChange)
  return () => SCHEME.removeEventListener('change', onChange)
}

/**
 * The indexes of single values: the points next to them have no value. They are drawn as dots, because no line leads to them.
 */
const singleValuesIn = (values: Series['values']) =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : [],
  )

/** The steps of an axis of counts. They are whole numbers, because there is no half request. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, zeros) => step * 10 ** zeros))
  .toSorted((a, b) => a - b)
const isWhole = (series: readonly Series[]) =>
  series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))

/** The axis begins at zero, so that a line at zero lies on the axis. */
const fromZero = (_: unknown, __: number | null, max: number | null): [number, number] => [
  0,
  Math.max(1, (max ?? 0) * 1.1),
]

type DrawingProps = Required<Pick<ChartProps, 'times' | 'series' | 'height' | 'words'>>

async function draw(element: HTMLElement, { times, series, height, words }: DrawingProps): Promise<() => void> {
  const { UPlot } = await import('./chart-drawing.ts')
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`)
  const axis = { stroke: colour('muted'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } }
  const plot = new UPlot(
    {
      ...{ width: element.clientWidth, height },
      axes: [
        axis,
        { ...axis, size: 48, values: (_, ticks) => ticks.map(words), ...(isWhole(series) && { incrs: WHOLE_STEPS }) },
      ],
      scales: { y: { range: fromZero } },
      cursor: { show: false },
      legend: { show: false },
      series: [
        {},
        ...series.map(({ label, tone = 'accent', values }) => {
          const points = { show: true, filter: () => singleValuesIn(values) }
          return { label, stroke: colour(tone), width: 2, points }
        }),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  )
  const watching = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  watching.observe(element)
  return () => {
    watching.disconnect()
    plot.destroy()
  }
}
