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
 * The redirect URI that is registered for the key. On 127.0.0.1 any port is accepted, so a developer’s machine needs no registration of
 * its own.
 */
const redirectUri = `http://127.0.0.1:${port}/callback`
/** Ask for what the page shows, and nothing else: people read this list before they press Connect. */
const scope = 'read:profile read:investments'

/** One visitor: under way to the consent page, or connected. Use your own sessions and your database instead. */
type Visitor = { asked?: AuthorizationRequest; tokens?: TokenStore }
const visitors = new Map<string, Visitor>()

const app = express()
app.disable('x-powered-by')

/** Finds the visitor by a cookie. Browsers do not send it with forms of other sites. */
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
  const asked = await authorizeUrl({ baseUrl, clientId, redirectUri, scope })
  if (visitor !== undefined) visitor.asked = asked
  response.redirect(303, asked.url)
})

/** The page to which Portico sends the person back, with a code, or with the reason why there is no code. */
app.get('/callback', async (request, response) => {
  const visitor = visitorOf(request)
  if (visitor?.asked === undefined) {
    response.status(400).send(problemPage('This page is opened by Portico, after you pressed Connect.'))
    return
  }
  const { state, codeVerifier } = visitor.asked
  delete visitor.asked
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
  // The person disconnected this app on Portico’s own pages, or said no.
  if (visitor !== undefined) delete visitor.tokens
  const isDenied = error instanceof OAuthError && error.code === 'access_denied'
  if (!isDenied) console.error(error)
  const text = isDenied ? 'You did not connect. Nothing was shared.' : 'Portico did not let us in. Connect again.'
  response.status(isDenied ? 200 : 502).send(problemPage(text))
}) satisfies express.ErrorRequestHandler)

function visitorOf({ headers }: Request): Visitor | undefined {
  const [, id = ''] = /(?:^|; )visitor=([\w-]+)/.exec(headers.cookie ?? '') ?? []
  return visitors.get(id)
}

app.listen(port, '127.0.0.1', () => console.log(`Open http://127.0.0.1:${port}`))
