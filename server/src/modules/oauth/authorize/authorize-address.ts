import type { RawQuery } from '#http/input/query-text.ts'

export const AUTHORIZE_PATH = '/oauth/authorize'

/**
 * The address of this very request: where the consent form is sent, and where one comes back to after signing in.
 * Everything about the request is in it and nothing is kept on our side, so all of it is checked again each time.
 */
export function authorizeAddress({ values }: RawQuery): string {
  const query = new URLSearchParams()
  for (const [name, all] of values) for (const value of all) query.append(name, value)
  return `${AUTHORIZE_PATH}?${query}`
}
