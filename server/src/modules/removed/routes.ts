import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError } from '#kernel/errors.ts'
import { REMOVED_ENDPOINTS, REMOVED_ON, type RemovedEndpoint } from './endpoints.ts'

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
    summary: `Use the replacement (removed ${REMOVED_ON})`,
    description: `Removed on ${REMOVED_ON}: answers 410 to every caller. ${endpoint.instead}`,
    tag: REMOVED_TAG,
    removed: true,
    access: open('Removed endpoint: answers 410 to every caller.'),
    bodyAs: 'unread',
    schema: { ...pathParams(endpoint.path), response: {} },
    handler: async () => {
      throw endpointRemoved(endpoint)
    },
  }),
)

/** Named in the document, and not looked at. */
function pathParams(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const anything = Type.String({ description: 'An id of then. It is not looked at.' })
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names.map((name) => [name, anything]))) }
}

function endpointRemoved({ method, path, instead }: RemovedEndpoint): ApiError {
  const named = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  return new ApiError('endpoint_removed', {
    public: `${named} was removed on ${REMOVED_ON}.`,
    remediation: `${instead} What changed: /docs/changelog.`,
    details: { removed_on: REMOVED_ON },
  })
}
