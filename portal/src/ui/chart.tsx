import { useEffect, useRef } from 'react'

export type Series = {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly tone?: 'accent' | 'danger' | 'warning'
}

type ChartProps = {
  /** What the lines show, for screen readers. */
  readonly label: string
  /** Unix seconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly height?: number
}

/** Lines over time. uPlot is loaded with the first chart. */
export function Chart({ label, times, series, height = 160 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const drawing = draw(element, { times, series, height })
    return () => void drawing.then((destroy) => destroy())
  }, [times, series, height])
  return <div ref={box} className="chart" role="img" aria-label={label} style={{ minHeight: height }} />
}

type Drawn = Required<Pick<ChartProps, 'times' | 'series' | 'height'>>

async function draw(element: HTMLElement, { times, series, height }: Drawn): Promise<() => void> {
  const { UPlot } = await import('./chart-drawing.ts')
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`)
  const axis = { stroke: colour('muted'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } }
  const plot = new UPlot(
    {
      ...{ width: element.clientWidth, height },
      axes: [axis, { ...axis, size: 48 }],
      cursor: { y: false },
      series: [{}, ...series.map(({ label, tone = 'accent' }) => ({ label, stroke: colour(tone), width: 2 }))],
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
