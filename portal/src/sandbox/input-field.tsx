import { ApiFailure } from '../api/client.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import type { KnownIds } from './known-ids.ts'
import type { Accepts, Input } from './play.ts'

/** The text that the person typed, by the name of the input. */
export type Values = Readonly<Record<string, string>>

const AMOUNT_CENTS = '25000'

/** What a field shows. A required field starts with a suggestion, if there is one, so that often one click makes the move. */
function shownValue(
  { name, kind, prefix = '', accepts, options, isRequired }: Input,
  values: Values,
  known: KnownIds,
): string {
  const typed = values[name]
  if (typed !== undefined || !isRequired) return typed ?? ''
  if (kind === 'cents') return AMOUNT_CENTS
  return (kind === 'id' ? known(prefix, acceptsOf(prefix, accepts))[0]?.value : options?.[0]) ?? ''
}

/** By default, offerings that accept investments are suggested first, because the others would reject most moves. */
const acceptsOf = (prefix: string, accepts: Accepts | undefined) =>
  prefix === 'ofr' ? (accepts ?? 'investments') : undefined

type InputFieldProps = {
  readonly input: Input
  readonly values: Values
  readonly onChange: (value: string) => void
  readonly known: KnownIds
  /** The errors of the last request. */
  readonly error: Error | null
}

export function InputField({ input, values, onChange, known, error }: InputFieldProps) {
  const { name, kind, prefix, accepts, options, isRequired, hint } = input
  const suggestions = prefix === undefined ? [] : known(prefix, acceptsOf(prefix, accepts))
  const value = shownValue(input, values, known)
  const label = labelOf(input)
  if (options !== undefined) {
    const shown = options.map((option) => ({ value: option, label: option.replaceAll('_', ' ') }))
    return <SelectField label={label} value={value} onChange={onChange} options={shown} />
  }
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      error={error instanceof ApiFailure ? error.fieldErrors()[name] : undefined}
      mono={kind === 'id' || kind === 'json'}
      {...(isRequired ? { isRequired } : {})}
      suggestions={suggestions}
      hint={
        prefix === 'ofr' && suggestions.length === 0
          ? `No offering is open for ${accepts ?? 'investments'} now. Open an offering under Offerings.`
          : hintOf(hint, suggestions.find((each) => each.value === value)?.label)
      }
    />
  )
}

/** The name of the record, if it is known, and the hint: "Ledgerline, open for investments. The offering has to be open." */
const hintOf = (hint: string | undefined, name: string | undefined) =>
  [name === undefined ? '' : `${name}.`, hint ?? ''].join(' ').trim() || undefined

function labelOf({ name, kind }: Input): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ')
  const shown = words.charAt(0).toUpperCase() + words.slice(1)
  return kind === 'cents' ? `${shown} in cents` : kind === 'json' ? `${shown} (JSON)` : shown
}

/** The request body, without the empty fields. The texts of number and JSON fields are parsed. */
export function bodyOf(inputs: readonly Input[], values: Values, known: KnownIds): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const text = shownValue(input, values, known).trim()
      return text === '' ? [] : [[input.name, parseInput(input, text)]]
    }),
  )
}

function parseInput({ name, kind }: Input, text: string): unknown {
  if (kind === 'cents' || kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is not JSON. Write an object, such as {"order": 7}.`)
  }
}
