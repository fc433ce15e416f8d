import { randomUUID } from 'node:crypto'
import {
  type AuthorizationRequest,
  authorizeUrl,
  Client,
  exchangeCode,
  memoryTokenStore,
  OAuthError,
  revokeToken,
  type TokenStore,
  user,
} from '@portico/sdk'
import express, { type Request } from 'express'
import { connectedPage, problemPage, startPage } from './pages.ts'
import { readSettings } from './settings.ts'

const { baseUrl, clientId, clientSecret } = await readSettings()
const port = Number(process.env['PORT'] ?? 3002)
/**
 * A redirect URI of the key. It is registered without a port: the service accepts a registered URI on 127.0.0.1 with
 * any port.
 */
const redirectUri = `http://127.0.0.1:${port}/callback`
/** Request only the scopes that the page needs: people read this list before they press Connect. */
const scope = 'read:profile read:investments'

/** A visitor has an `authorization` until they return from the consent page, then `tokens`. In your app, use sessions and a database. */
type Visitor = { authorization?: AuthorizationRequest; tokens?: TokenStore }
const visitors = new Map<string, Visitor>()

const app = express()
app.disable('x-powered-by')

/** Gives each visitor a cookie. Browsers do not send it with forms of other sites. */
app.use((request, response, next) => {
  if (visitorOf(request) === undefined) {
    const id = randomUUID()
    visitors.set(id, {})
    request.headers.cookie = `visitor=${id}`
    response.cookie('visitor', id, { httpOnly: true, sameSite: 'lax' })
  }
  next()
})

app.get('/', async (request, response) => {
  const tokens = visitorOf(request)?.tokens
  if (tokens === undefined) {
    response.send(startPage())
    return
  }
  const portico = new Client({ baseUrl, credential: user({ clientId, clientSecret, store: tokens }) })
  const [{ data: person }, { data: portfolio }, positions] = await Promise.all([
    portico.get('/users/me'),
    portico.get('/portfolio'),
    portico.list('/portfolio/positions').toArray(),
  ])
  response.send(connectedPage(person, portfolio, positions))
})

app.post('/connect', async (request, response) => {
  const visitor = visitorOf(request)
  const authorization = await authorizeUrl({ baseUrl, clientId, redirectUri, scope })
  if (visitor !== undefined) visitor.authorization = authorization
  response.redirect(303, authorization.url)
})

/** Portico sends the person back to this page, with a code or with an error. */
app.get('/callback', async (request, response) => {
  const visitor = visitorOf(request)
  if (visitor?.authorization === undefined) {
    response.status(400).send(problemPage('Portico opens this page after you press Connect.'))
    return
  }
  const { state, codeVerifier } = visitor.authorization
  delete visitor.authorization
  const client = { baseUrl, clientId, clientSecret, redirectUri }
  const tokens = await exchangeCode({ ...client, callbackUrl: request.originalUrl, state, codeVerifier })
  visitor.tokens = memoryTokenStore(tokens)
  response.redirect(303, '/')
})

app.post('/disconnect', async (request, response) => {
  const visitor = visitorOf(request)
  const tokens = await visitor?.tokens?.get()
  delete visitor?.tokens
  // Revoking the refresh token revokes all tokens of the connection.
  const token = tokens?.refreshToken ?? tokens?.accessToken
  if (token !== undefined) await revokeToken({ baseUrl, clientId, clientSecret, token })
  response.redirect(303, '/')
})

app.use(((error, request, response, _next) => {
  const visitor = visitorOf(request)
  // The cause may be that the person disconnected this app on Portico’s own pages, or did not consent.
  if (visitor !== undefined) delete visitor.tokens
  const isDenied = error instanceof OAuthError && error.code === 'access_denied'
  if (!isDenied) console.error(error)
  const text = isDenied
    ? 'You did not connect. Nothing was shared.'
    : 'Portico rejected the request of this app. Connect again.'
  response.status(isDenied ? 200 : 502).send(problemPage(text))
}) satisfies express.ErrorRequestHandler)

function visitorOf({ headers }: Request): Visitor | undefined {
  const [, id = ''] = /(?:^|; )visitor=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  return visitors.get(id)
}

app.listen(port, '127.0.0.1', () => console.log(`Open http://127.0.0.1:${port}`))
