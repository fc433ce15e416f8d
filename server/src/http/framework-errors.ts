import { ApiError } from '#kernel/errors.ts'

const SEND_LESS = 'Send less in one request.'

/** Fastify's own refusals, by its error code, in the contract's words. */
const ERROR_OF_CODE: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new ApiError('payload_too_large', {
      public: 'The request body is larger than this operation accepts: 1 MiB, unless its description says more.',
      remediation: SEND_LESS,
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', { public: 'The Content-Type header cannot be read.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('invalid_request', { public: 'The request body is not as long as Content-Length says.' }),
  FST_ERR_BAD_URL: () => new ApiError('invalid_request', { public: 'The path is not correctly percent-encoded.' }),
}

/** Null for errors that are not the framework's refusal of a request. */
export function frameworkError(error: Error): ApiError | null {
  const code: unknown = Reflect.get(error, 'code')
  const status: unknown = Reflect.get(error, 'statusCode')
  const known = typeof code === 'string' ? ERROR_OF_CODE[code] : undefined
  if (known !== undefined) return known()
  // A body that broke off reaches us as the stream's error, marked 400 by the framework; nobody is left to read this.
  if (status === 400) {
    return new ApiError('invalid_request', { public: 'The request could not be read.', internal: String(code) })
  }
  return null
}
