import { type ReactNode, useId } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text, TextArea } from 'react-aria-components'

type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Shown below the label. Says what to enter. */
  readonly hint?: ReactNode | undefined
  /** Says what is wrong with the value. Undefined if nothing is wrong. */
  readonly error?: string | undefined
  readonly lines?: number
  readonly isRequired?: boolean
  readonly type?: 'text' | 'url' | 'email'
  readonly maxLength?: number
  readonly autoFocus?: boolean
  /** Uses the font for ids, addresses and code. */
  readonly mono?: boolean
  /** Values to choose from. The person can also type another value. */
  readonly suggestions?: readonly Suggestion[]
}

export type Suggestion = { readonly value: string; readonly label?: string | undefined }

export function TextField(props: TextFieldProps) {
  const { label, hint, error, lines = 1, mono = false, autoFocus = false, suggestions = [], ...rest } = props
  const className = mono ? 'mono' : ''
  const list = useId()
  return (
    <AriaTextField
      {...rest}
      className="field"
      isInvalid={error !== undefined}
      // With "native" the browser would not send the form again after the server named an invalid field.
      validationBehavior="aria"
      autoFocus={autoFocus}
    >
      <Label>{label}</Label>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {lines > 1 ? (
        <TextArea className={className} rows={lines} />
      ) : suggestions.length === 0 ? (
        <Input className={className} />
      ) : (
        <>
          <Input className={className} list={list} />
          <datalist id={list}>
            {suggestions.map(({ value, label }) => (
              <option key={value} value={value} label={label ?? value} />
            ))}
          </datalist>
        </>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  )
}

type Option = { readonly value: string; readonly label: string }

type SelectFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly Option[]
}

/** A choice with the browser's own list, which works on every phone and needs no script. */
export function SelectField({ label, value, onChange, options }: SelectFieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}
