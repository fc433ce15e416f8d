import type { ErrorType } from '#kernel/errors.ts'

/**
 * What went wrong, for the user and in our own words: what the app was told is kept nowhere, since it may repeat what the
 * app sent.
 */
const REASON: Readonly<Partial<Record<ErrorType, string>>> = {
  insufficient_scope: 'The app was not given this permission.',
  forbidden: 'The app may not do this here.',
  sandbox_only: 'This is for the test world alone.',
  app_suspended: 'The app is suspended.',
  not_found: 'There was nothing there that the app may know of.',
  already_installed: 'The app is installed there already.',
  installation_revoked: 'The installation was revoked.',
  idempotency_conflict: 'The app used one key for two different requests.',
  illegal_transition: 'This is not possible in its present state.',
  payload_too_large: 'The app sent more than is accepted.',
  use_intents: 'This needs the approval of a person.',
  internal_error: 'Something went wrong on our side.',
}

const OTHERWISE = 'The app’s request was not acceptable.'

export function explainRefusal(errorType: string): string {
  return (Object.hasOwn(REASON, errorType) ? REASON[errorType as ErrorType] : undefined) ?? OTHERWISE
}
