import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { REMOVED_ENDPOINTS, REMOVED_ON, type RemovedEndpoint } from './endpoints.ts'

/** Under this heading no document lists them: a client made from one would have methods that never work. */
export const REMOVED_TAG = 'Removed'

/**
 * 410 for whoever asks, in every version and under `/api/v2` too. Before any other question: a token that has run out or
 * lacks a scope would have its app ask for another, for nothing; and a body is not looked at.
 */
export const removedRoutes: readonly Route[] = REMOVED_ENDPOINTS.map((endpoint) =>
  route({
    operation: endpoint.operation,
    method: endpoint.method,
    path: endpoint.path,
    summary: `Removed on ${REMOVED_ON}`,
    tag: REMOVED_TAG,
    access: open('It holds nothing of anybody’s any more, and says so to everybody.'),
    bodyAs: 'unread',
    schema: { response: {} },
    handler: async () => {
      throw endpointRemoved(endpoint)
    },
  }),
)

function endpointRemoved({ method, path, instead }: RemovedEndpoint): ApiError {
  const named = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  return new ApiError('endpoint_removed', {
    public: `${named} was removed on ${REMOVED_ON}.`,
    remediation: `${instead} What changed: /docs/changelog.`,
    details: { removed_on: REMOVED_ON },
  })
}
