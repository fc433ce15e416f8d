import { useNavigate, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Partial<Record<string, string>>>

/** For `validateSearch`: the filters of a list, which live in the address. The router parses digits as numbers. */
export const filtersOf =
  (...names: readonly string[]) =>
  (search: Readonly<Record<string, unknown>>): Filters =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return value === undefined || value === '' ? [] : [[name, String(value)]]
      }),
    )

/** The filters of the address, and how to change them; an empty text removes one. */
export function useFilters(): readonly [filters: Filters, change: (changed: Filters) => void] {
  const { mode: _, ...filters }: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changed: Filters) => {
    const search = (before: Record<string, unknown>) =>
      Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== ''))
    void navigate({ to: '.', search, replace: true })
  }
  return [filters, change]
}

/** A filter whose values are known: a misspelled one in the address filters nothing. */
export const chosenOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text)

/** For a request: filters that are not set are left out. */
export function given<Value extends object>(
  filters: Value,
): { [name in keyof Value]?: Exclude<Value[name], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as { [name in keyof Value]?: Exclude<Value[name], undefined> }
}
