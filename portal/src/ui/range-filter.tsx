import { chosenOf, useFilters } from '../shell/filters.ts'
import { RANGES, type Range } from './timeline.tsx'

const NAMES = Object.keys(RANGES) as readonly Range[]

/** The range in the address, and a function that changes it. The default is the last day. */
export function useRange(): readonly [range: Range, change: (range: string) => void] {
  const [{ range }, change] = useFilters()
  return [chosenOf(NAMES, range) ?? 'day', (chosen) => change({ range: chosen === 'day' ? '' : chosen })]
}

export function RangeFilter({
  value,
  onChange,
}: {
  readonly value: Range
  readonly onChange: (range: string) => void
}) {
  return (
    <label className="range-filter">
      <span>Time</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {NAMES.map((name) => (
          <option key={name} value={name}>
            {RANGES[name].label}
          </option>
        ))}
      </select>
    </label>
  )
}
