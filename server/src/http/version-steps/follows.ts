import type { Fields, VersionStep } from '../version-step.ts'

/** Entries of the follow list are flat now, as search results with a time. Before they were `{id, type, attributes}`. */
export const FOLLOW_STEPS: readonly VersionStep[] = [
  {
    name: 'flat follow entries',
    before: '2026-11-01',
    operations: ['listFollowedCompanies'],
    response: (body, status) => (status === 200 ? withNestedEntries(body as FollowPage) : body),
  },
]

/** What the route's own schema has let through. */
type FollowPage = Fields & { readonly data: readonly Fields[] }

function withNestedEntries({ data, ...rest }: FollowPage): Fields {
  return { data: data.map(({ id, ...attributes }) => ({ id, type: 'company', attributes })), ...rest }
}
