import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { AUTHORIZE_PATH } from '../authorization-response.ts'
import { type ConsentDeps, decideConsent, showConsent } from './consent.ts'

/** For the API reference only: check-authorize-request.ts validates these parameters. */
const AuthorizeQuery = Type.Object({
  response_type: Type.Optional(Type.String({ description: '`code`.' })),
  client_id: Type.Optional(Type.String({ description: 'The key’s id, `pk_…`.' })),
  redirect_uri: Type.Optional(Type.String({ description: 'One of the key’s redirect URIs, exactly.' })),
  scope: Type.Optional(Type.String({ description: 'Scopes separated by spaces; `read:profile` when left out.' })),
  state: Type.Optional(Type.String({ description: 'Comes back unchanged. Up to 2,048 characters of plain ASCII.' })),
  code_challenge: Type.Optional(Type.String({ description: 'PKCE: the verifier’s SHA-256 in base64url.' })),
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`.' })),
})

/** Browsers send one checked switch as a string, several as an array. */
const ConsentForm = Type.Object({
  decision: Type.Union([Type.Literal('connect'), Type.Literal('cancel')]),
  scope: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})

const answers = { 200: Type.String(), 303: Type.Null(), 400: Type.String(), 403: Type.String() }

const COMMON = {
  path: AUTHORIZE_PATH,
  tag: 'OAuth',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('People are sent here by an app before they have signed in.'),
} as const

export const consentRoutes = (deps: ConsentDeps): Route[] => [
  route({
    ...COMMON,
    queryAs: 'raw',
    operation: 'authorize',
    method: 'GET',
    documented: true,
    summary: 'Start the authorization flow',
    description:
      'The page to which an app sends a person for their consent. After the decision the person is redirected to the app’s redirect URI.',
    schema: { query: AuthorizeQuery, response: answers },
    handler: (request) => showConsent(deps, request),
  }),
  route({
    ...COMMON,
    queryAs: 'raw',
    operation: 'decideConsent',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { query: AuthorizeQuery, body: ConsentForm, response: answers },
    handler: (request) => decideConsent(deps, request),
  }),
]
