import { ApiError } from '#kernel/errors.ts'

/** What is not on the app cannot be taken from it, and read:public, which every app has, from none. */
export function refuseUndeclared(removed: readonly string[], declared: readonly string[]): void {
  const refused = removed.filter((name) => name === 'read:public' || !declared.includes(name))
  if (refused.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${refused.join(', ')} cannot be removed from this app.`,
    remediation: 'Name only scopes that the app declares. Every app keeps read:public.',
    details: { scopes: refused },
  })
}
