import { useNavigate, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Partial<Record<string, string>>>

/** For `validateSearch`: reads the filters of a list from the address. Numbers become texts, because the router parses digits. */
export const filtersOf =
  (...names: readonly string[]) =>
  (search: Readonly<Record<string, unknown>>): Filters =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return value === undefined || value === '' ? [] : [[name, String(value)]]
      }),
    )

/** The filters of the address, and a function that changes them. An empty text removes a filter. */
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

/** The value of a filter if it is one of the known values. A misspelled value in the address filters nothing. */
export const chosenOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text)

/** The filters for a request: only the filters that are set. */
export function given<Value extends object>(
  filters: Value,
): { [name in keyof Value]?: Exclude<Value[name], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as { [name in keyof Value]?: Exclude<Value[name], undefined> }
}
