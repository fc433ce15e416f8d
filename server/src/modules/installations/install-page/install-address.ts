import type { RawQuery } from '#http/input/query-text.ts'

export const INSTALL_PATH = '/apps/:client_id/install'

/** It comes back in a header, together with the rest of the setup URL. */
const STATE_CHARS_MAX = 2_048

/** What the address of the page says; null where it says nothing. */
export type InstallQuery = {
  /** The app's own, which it gets back unchanged. */
  readonly state: string | null
  /** The company or syndicate that was chosen. */
  readonly target: string | null
  /** An installation that was made here a moment ago. */
  readonly installed: string | null
}

/** Null for what the app cannot get back as it sent it: encoded wrongly, twice, or too long. */
export function readInstallQuery({ values, malformed }: RawQuery): InstallQuery | null {
  const [state, ...others] = values.get('state') ?? []
  if (malformed || others.length > 0 || (state?.length ?? 0) > STATE_CHARS_MAX) return null
  const first = (name: string) => values.get(name)?.[0] || null
  return { state: state || null, target: first('target'), installed: first('installed') }
}

/** All of the visit is in it and nothing is kept on our side: it can be linked to, loaded again and come back to. */
export function installAddress(clientId: string, query: Partial<InstallQuery>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, value)
  const path = INSTALL_PATH.replace(':client_id', encodeURIComponent(clientId))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
