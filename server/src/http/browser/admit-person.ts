import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kernel/errors.ts'
import { headerOf, setVersion } from '../begin-request.ts'
import type { Edge, ServedRoute } from '../request-state.ts'
import { resolveVersion } from '../versions.ts'
import type { Browser } from './browser.ts'
import { readCookie, sessionCookie } from './cookie.ts'
import { csrfToken } from './csrf.ts'
import { changesNothing, requireOwnOrigin } from './own-form.ts'
import { localAddress, signInAddress } from './return-to.ts'

/** As `admit`, for people with a browser: how often, from which page, who. Resolves to the reply where it has been sent. */
export async function admitPerson(
  edge: Edge,
  { route, limiter }: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { access, errorsAs } = route
  reply.header('vary', 'Cookie')
  await limiter?.({ address: request.ip, credential: null })
  requireOwnOrigin(edge, request)
  const cookieValue = readCookie(edge.settings, request.headers.cookie)
  const caller = cookieValue === null ? null : ((await edge.ports.signIns?.find(cookieValue)) ?? null)
  request.edge.caller = caller
  request.edge.browser = browserOf(edge, cookieValue, changesNothing(request) ? reply : null)
  const header = headerOf(request, edge.names.version)
  setVersion(edge, request, reply, resolveVersion({ headerName: edge.names.version, header, pinned: undefined }))
  if (caller !== null || access.kind !== 'session' || !access.required) return undefined
  if (errorsAs !== 'page') throw nobody()
  return reply
    .code(303)
    .header('location', signInAddress(comingBack(edge, request)))
    .send()
}

/** A browser without a cookie gets one with the page, because the page's form needs something to be tied to. */
function browserOf({ settings, ports }: Edge, brought: string | null, reply: FastifyReply | null): Browser {
  if (ports.csrfKeys === undefined) throw new Error('nothing to make the tokens of forms with')
  const value = brought ?? randomBytes(32).toString('base64url')
  if (brought === null) reply?.header('set-cookie', sessionCookie(settings, value))
  return {
    csrf: csrfToken(ports.csrfKeys, value),
    cookieValue: brought,
    setCookie: (another) => sessionCookie(settings, another),
  }
}

/** Where a form was sent cannot always be opened; then one starts over after signing in. */
function comingBack({ pathAt }: Edge, { raw }: FastifyRequest): string | null {
  const address = localAddress(raw.url)
  const path = address?.split(/[?#]/, 1)[0] ?? ''
  return pathAt(path)?.methods.includes('GET') === true ? address : null
}

function nobody(): ApiError {
  return new ApiError('invalid_token', {
    public: 'Nobody is signed in with this browser.',
    remediation: 'Sign in at /sign-in',
  })
}
