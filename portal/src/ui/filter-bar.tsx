import { type ReactNode, useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type FilterBarProps = {
  readonly children: ReactNode
  /** Undefined while no filter is set. */
  readonly onClear?: (() => void) | undefined
}

/** The filters of a list in one line. On a phone they are closed at first, because otherwise the list would begin below the screen. */
export function FilterBar({ children, onClear }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <search className={isOpen ? 'filters open' : 'filters'} aria-label="Filters">
      <AriaButton className="button filters-switch" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        Filters{onClear !== undefined && ' (some are set)'}
        <Icon name="chevron" />
      </AriaButton>
      {children}
      {onClear !== undefined && (
        <Button variant="quiet" onPress={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

type FilterProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

type SelectFilterProps = FilterProps & {
  /** The text of the choice that sets no filter: "Any status". */
  readonly any: string
  readonly options: readonly (readonly [value: string, label: string])[]
}

export function SelectFilter({ label, value = '', onChange, any, options }: SelectFilterProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

type TextFilterProps = FilterProps & { readonly placeholder?: string }

/** The filter is set when the person presses Enter or leaves the field, because an incomplete id would match nothing. */
export function TextFilter({ label, value = '', onChange, placeholder }: TextFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = () => text.trim() !== value && onChange(text.trim())
  return (
    <label className="field text-filter">
      <span>{label}</span>
      <input
        type="search"
        className="mono"
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}

/** A filter by time. The field shows the time in the person's own zone, and the address has it in UTC. */
export function TimeFilter({ label, value, onChange }: FilterProps) {
  return (
    <label className="field time-filter">
      <span>{label}</span>
      <input
        type="datetime-local"
        step={1}
        value={localTime(value)}
        onChange={(event) => onChange(utcTime(event.target.value))}
      />
    </label>
  )
}

/** A time in the format of `datetime-local`, in the person's own zone. */
function localTime(at: string | undefined): string {
  const ms = Date.parse(at ?? '')
  if (Number.isNaN(ms)) return ''
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 19)
}

const utcTime = (local: string) => (local === '' ? '' : new Date(local).toISOString())

type LiveSwitchProps = {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Shown next to the switch while it is on. */
  readonly state?: string
}

/** While the switch is on, new rows appear by themselves. It is not called “Live”, because this is the name of a mode. */
export function LiveSwitch({ isOn, onChange, state = '' }: LiveSwitchProps) {
  return (
    <label className={isOn ? 'live-switch on' : 'live-switch'}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span aria-hidden="true" className="live-dot" />
      Live tail
      <span className="hint" role="status">
        {isOn ? state : ''}
      </span>
    </label>
  )
}
