export type ErrorResponse = {
  readonly type: string
  readonly message: string
  readonly request_id: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly remediation?: string
}

/** Reads an error and checks the rules for every error. */
export async function readError(response: Response): Promise<ErrorResponse> {
  const text = await response.text()
  const { error } = JSON.parse(text) as { error: ErrorResponse }
  const wrong = [
    Object.keys(JSON.parse(text)).join() !== 'error' && 'the envelope has other keys',
    !/^req_[0-9A-Za-z]{24}$/.test(error.request_id) && 'request_id is malformed',
    response.headers.get('x-request-id') !== error.request_id && 'X-Request-Id differs from the body',
    response.headers.get('x-wf-request-id') !== error.request_id && 'X-Wf-Request-Id differs from the body',
    response.headers.get('content-type') !== 'application/json; charset=utf-8' && 'not JSON',
    response.headers.get('wefunder-version') === null && 'no version header',
    response.headers.get('wefunder-version-latest') !== '2026-11-01' && 'no latest-version header',
    'details' in error &&
      (typeof error.details !== 'object' || Array.isArray(error.details)) &&
      'details is not an object',
    response.headers.get('cache-control') !== 'no-store' && 'the error response may be cached',
    (response.status === 401) !== (response.headers.get('www-authenticate') === 'Bearer error="invalid_token"') &&
      'WWW-Authenticate: Bearer error="invalid_token" belongs on every 401, and only there',
  ].filter((problem) => problem !== false)
  if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: ${response.status} ${text}`)
  return error
}
