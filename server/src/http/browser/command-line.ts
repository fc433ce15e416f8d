import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '#kernel/errors.ts'
import type { Route } from '../route.ts'
import type { Browser } from './cookies.ts'

/** Everything that a signed-in browser does there, a command line that the person allowed does too. Pages are for browsers alone. */
const FOR_COMMAND_LINES = '/portal/api/'

export function servesCommandLines({ access, path }: Pick<Route, 'access' | 'path'>): boolean {
  return access.kind === 'session' && path.startsWith(FOR_COMMAND_LINES)
}

const BEARER = /^Bearer(?: |$)/i

/** A request with a bearer is judged by it alone: its cookie is not read, so that neither ever stands in for the other. */
export function sendsBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && BEARER.test(authorization)
}

/** What handlers are given in place of a browser: there is no form to protect and no cookie to set. */
export const NO_BROWSER: Browser = {
  csrf: '',
  cookieValue: null,
  setCookie: () => {
    throw new Error('a command line has no cookie')
  },
  keepForm: () => null,
  keepsForm: () => false,
}

export function endedCommandLine(): ApiError {
  return new ApiError('invalid_token', {
    public: 'The session of this command line is unknown, expired or ended.',
    remediation: 'Run portico login, then try again.',
  })
}
