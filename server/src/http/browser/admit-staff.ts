import type { OperatorCaller } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { servesStaff, type TokenAccess } from '../access.ts'
import type { Edge } from '../edge.ts'
import { type Exchange, headerOf } from '../exchange.ts'
import { readCookie } from './cookies.ts'
import { confirmAddress } from './return-to.ts'

/** The header with which a person of the platform's staff names the world. A key belongs to one world and needs no header. */
export const MODE_HEADER = 'X-Portico-Mode'

/**
 * The person of the platform's staff whose browser sent this request, on a route that serves operators. Null if the request has
 * another credential or no session. Every condition is read again for every request, so a revoked role stops working at once.
 */
export async function findStaff(edge: Edge, access: TokenAccess, exchange: Exchange): Promise<OperatorCaller | null> {
  const { headers } = exchange.request
  // If a request has an Authorization header, only that header counts: neither credential ever replaces the other.
  if (!servesStaff(access) || headers.authorization !== undefined) return null
  const cookieValue = readCookie(edge.settings, headers.cookie)
  const member = cookieValue === null ? null : ((await edge.ports.signIns?.findStaff?.(cookieValue)) ?? null)
  if (member === null) return null
  const { accountId: actor, name, role, sessionHash: hash, endsAt } = member
  if (role === null) throw noStaffRole()
  if (!member.hasFactor) throw factorNeeded()
  if (endsAt === null) throw sessionEnded()
  const world = worldFor(access, exchange)
  return { kind: 'operator', world, actor, name, role, reason: null, session: { hash, endsAt } }
}

/**
 * Whether the caller is a member of staff, identified by a browser's cookie. If so, a change needs the CSRF token of that
 * browser.
 */
export function isStaffRequest({ caller }: Exchange): boolean {
  return caller?.kind === 'operator' && caller.session !== null
}

/**
 * The world that the request names. If it names none, a sandbox route gets the test world. All other routes get the live world,
 * because most work of the platform's staff is about live apps.
 */
function worldFor({ sandboxOnly }: TokenAccess, exchange: Exchange): World {
  const named = headerOf(exchange, MODE_HEADER)
  if (named === undefined) return sandboxOnly === true ? 'test' : 'live'
  const world = WORLDS.find((each) => each === named)
  if (world !== undefined) return world
  throw validationError([{ field: MODE_HEADER, code: 'unknown_value', message: 'must be test or live' }])
}

function noStaffRole(): ApiError {
  return refusal(
    'no_staff_role',
    'Your account has no role on the platform’s staff.',
    'Ask an administrator for a role.',
  )
}

const FACTORS_PAGE = '/settings/security'

function factorNeeded(): ApiError {
  return refusal(
    'second_factor_required',
    'The platform’s staff need a second factor, and your account has no second factor.',
    `Open ${FACTORS_PAGE}, set up an authenticator app or a passkey, and sign in with it.`,
    FACTORS_PAGE,
  )
}

function sessionEnded(): ApiError {
  const url = confirmAddress(null)
  return refusal(
    'staff_session_ended',
    'Your staff session has ended, or was not started with your second factor.',
    `Open ${url} and confirm with your authenticator app or a passkey, then send the request again.`,
    url,
  )
}

function refusal(reason: string, message: string, remediation: string, confirmUrl?: string): ApiError {
  const details = { reason, ...(confirmUrl === undefined ? {} : { confirm_url: confirmUrl }) }
  return new ApiError('forbidden', { public: message, remediation, details, internal: reason })
}
