/** `syndicates.*`, `syndicates.member.*`, or one action by its whole name. */
export const ACTION_PATTERN = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*(\\.\\*)?$'

export type WantedActions = { readonly exactly: string | null; readonly beginning: string | null }

/** "action_pattern string (e.g. `syndicates.*`, `syndicates.member.*`)": a star for everything below, at any depth. */
export function wantedActions(pattern: string | undefined): WantedActions {
  if (pattern === undefined) return { exactly: null, beginning: null }
  return pattern.endsWith('.*')
    ? { exactly: null, beginning: pattern.slice(0, -1) }
    : { exactly: pattern, beginning: null }
}
