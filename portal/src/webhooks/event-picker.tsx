import { useId } from 'react'
import { EVENT_GROUPS, type Subscription } from '../api/event-names.ts'

type EventPickerProps = {
  readonly value: readonly Subscription[]
  readonly onChange: (value: readonly Subscription[]) => void
  readonly error?: string | undefined
}

/** A choice of all events, of whole groups with their future events, or of single events. */
export function EventPicker({ value, onChange, error }: EventPickerProps) {
  const errorId = useId()
  const isAll = value.includes('*')
  const set = (name: Subscription, isOn: boolean) =>
    onChange(isOn ? [...value, name] : value.filter((each) => each !== name))
  return (
    <fieldset className="event-picker" aria-describedby={error === undefined ? undefined : errorId}>
      <legend>Events</legend>
      <Choice label="All events" isOn={isAll} onChange={(isOn) => onChange(isOn ? ['*'] : [])} />
      {!isAll && (
        <div className="event-groups">
          {EVENT_GROUPS.map(([group, names]) => {
            const wildcard = `${group}.*` as Subscription
            const isWhole = value.includes(wildcard)
            return (
              <div key={group} className="event-group">
                <Choice
                  label={wildcard}
                  isOn={isWhole}
                  onChange={(isOn) => {
                    const others = value.filter((each) => each.split('.')[0] !== group)
                    onChange(isOn ? [...others, wildcard] : others)
                  }}
                />
                {names.map((name) => (
                  <Choice
                    key={name}
                    label={name}
                    isOn={isWhole || value.includes(name)}
                    isDisabled={isWhole}
                    onChange={(isOn) => set(name, isOn)}
                  />
                ))}
              </div>
            )
          })}
        </div>
      )}
      {error !== undefined && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
}

function Choice({ label, isOn, onChange, isDisabled = false }: ChoiceProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
