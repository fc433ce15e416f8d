import { type Decoder, flag, freeForm, listOf, object, oneOf, optional, text, whole } from './decode.ts'

/**
 * The error envelope, the same in every version, and the error types that each status may have. `details` is an object
 * or missing, because libraries pass it to a constructor of dictionaries, which accepts neither null nor a list.
 */
const TYPES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  401: ['invalid_token'],
  403: ['insufficient_scope', 'forbidden', 'sandbox_only', 'app_suspended'],
  404: ['not_found', 'no_disclosures'],
  409: ['already_installed', 'installation_revoked', 'idempotency_conflict', 'illegal_transition'],
  410: ['gone', 'endpoint_removed'],
  422: ['validation_error', 'use_intents', 'nothing_grantable', 'scope_missing', 'session_not_cancelable'],
  429: ['rate_limit_exceeded'],
}

const fields = object({ fields: listOf(object({ field: text, code: text, message: text })) })
const DETAILS: Readonly<Record<string, Decoder>> = {
  already_installed: object({ installation: text }),
  illegal_transition: object({ from: text, event: text, allowed: listOf(text) }),
  validation_error: fields,
  rate_limit_exceeded: object({ limit: whole, period: whole, retry_after: whole }),
}

export function errorOf(status: number): Decoder {
  const types = TYPES[status] ?? []
  return {
    faults: (value, path) => {
      const type = (value as { error?: { type?: string } } | null)?.error?.type ?? ''
      const details = DETAILS[type] ?? optional(freeForm)
      const error = {
        type: oneOf(...types),
        message: text,
        request_id: text,
        remediation: optional(text),
        details,
      }
      return object({ error: object(error) }).faults(value, path)
    },
  }
}

/** The errors of the OAuth endpoints (RFC 6749, section 5.2). */
export const OAUTH_ERROR = object({
  error: oneOf(
    ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client'],
    ...['unsupported_grant_type', 'invalid_scope'],
  ),
  error_description: optional(text),
  error_uri: optional(text),
})

export const INTROSPECTION = object({
  active: flag,
  scope: optional(text),
  client_id: optional(text),
  token_type: optional(oneOf('Bearer')),
  exp: optional(whole),
  iat: optional(whole),
  sub: optional(text),
  iss: optional(text),
  installation_id: optional(text),
})
