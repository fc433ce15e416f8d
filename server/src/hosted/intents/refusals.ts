import { ApiError } from '#kernel/errors.ts'
import type { Scope } from '#kernel/scope.ts'

type Reason = { readonly field: string; readonly code: string; readonly message: string }

/** "422 (message = handler's reason)": the sentence itself, and which field it is about. */
export function notPossible({ field, code, message }: Reason): ApiError {
  return new ApiError('validation_error', {
    public: message,
    remediation: 'Nothing was proposed. Look at what details.fields names.',
    details: { fields: [{ field, code, message }] },
  })
}

/** "Token must hold that particular action's scope, else 403 insufficient_scope." */
export function actionScopeMissing(scope: Scope): ApiError {
  return new ApiError('insufficient_scope', {
    public: `Proposing this needs the scope ${scope}, which the token does not hold.`,
    remediation: `Request ${scope} together with the scopes you already use, then use the new token.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}

export function keyOfAnother(): ApiError {
  return new ApiError('idempotency_conflict', {
    public: 'This idempotency_key was used for another action, resource or params. Nothing was proposed.',
    remediation: 'Use a new key for a new proposal; repeat a proposal with exactly the same content.',
  })
}

/** Who was let in a moment before their access ended. */
export function accessEnded(): ApiError {
  return new ApiError('invalid_token', { public: 'This app’s access has ended.' })
}
