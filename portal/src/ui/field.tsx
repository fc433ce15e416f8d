import { type ReactNode, useId } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text, TextArea } from 'react-aria-components'

type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Below the label: what to enter. */
  readonly hint?: ReactNode | undefined
  /** What is wrong, from the server or from the form; undefined if nothing is. */
  readonly error?: string | undefined
  readonly lines?: number
  readonly isRequired?: boolean
  readonly type?: 'text' | 'url' | 'email'
  readonly maxLength?: number
  readonly autoFocus?: boolean
  /** For ids, addresses and code. */
  readonly mono?: boolean
  /** Values to choose from; any other can be typed. */
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
      // Not "native": the browser would then refuse to send the form again once the server had named a wrong field.
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

/** The browser's own list: it works on every phone and costs no script. */
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
