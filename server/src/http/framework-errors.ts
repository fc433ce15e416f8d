import { ApiError } from '#kernel/errors.ts'

const SEND_LESS = 'Send less in one request.'

/** Fastify's own refusals, by its error code, in the contract's words. */
const ERROR_OF_CODE: Readonly<Record<string, (bodyBytesMax: number) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyBytesMax) =>
    new ApiError('payload_too_large', {
      public: `The request body is larger than the ${inWords(bodyBytesMax)} that this operation accepts.`,
      remediation: SEND_LESS,
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', { public: 'The Content-Type header cannot be read.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('invalid_request', { public: 'The request body is not as long as Content-Length says.' }),
  FST_ERR_BAD_URL: () => new ApiError('invalid_request', { public: 'The path is not correctly percent-encoded.' }),
}

/** Null for errors that are not the framework's refusal of a request. `bodyBytesMax` is the limit of the route. */
export function frameworkError(error: unknown, bodyBytesMax: number): ApiError | null {
  if (!(error instanceof Error)) return null
  const code: unknown = Reflect.get(error, 'code')
  const status: unknown = Reflect.get(error, 'statusCode')
  const known = typeof code === 'string' ? ERROR_OF_CODE[code] : undefined
  if (known !== undefined) return known(bodyBytesMax)
  // A body that broke off reaches us as the stream's error, marked 400 by the framework; nobody is left to read this.
  if (status === 400) {
    return new ApiError('invalid_request', { public: 'The request could not be read.', internal: String(code) })
  }
  return null
}

const UNITS = [
  [1_048_576, 'MiB'],
  [1_024, 'KiB'],
] as const

function inWords(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes']
  return `${bytes / size} ${unit}`
}
