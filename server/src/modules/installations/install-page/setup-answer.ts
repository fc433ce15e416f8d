import { withAnswer } from '#http/pages/return-place.ts'
import type { Id } from '#kernel/ids.ts'

/** What the app hears at its setup URL. */
export type SetupAnswer = { readonly installation_id: Id<'installation'> } | { readonly error: 'access_denied' }

/** "Back to the app's setup URL with installation_id and state, or error=access_denied." */
export function setupAnswer(setupUrl: string, answer: SetupAnswer, state: string | null): string {
  const parameters = new URLSearchParams(answer)
  if (state !== null) parameters.set('state', state)
  return withAnswer(setupUrl, parameters)
}
