/** "changed; recomputed (derivation changed, inputs did not …); investor_deactivated (investor identity redacted)". */
export type Reason = 'changed' | 'recomputed' | 'investor_deactivated'

/** Why a record was looked at again: something was told of it, or it is derived in a new way. */
export type Cause = 'facts' | 'derivation'

type Deactivation = { readonly deactivated: boolean }

/**
 * "Marks the first republish after deactivation": told by the two states and not by what is on the to-do list, where
 * another change of the same investor may come first.
 */
export function reasonOf(before: Deactivation | null, after: Deactivation, cause: Cause): Reason {
  if (before !== null && !before.deactivated && after.deactivated) return 'investor_deactivated'
  return cause === 'derivation' ? 'recomputed' : 'changed'
}
