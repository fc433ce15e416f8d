import { randomBytes } from 'node:crypto'
import { CLIENT_TOKEN_SECONDS, peerAdapter } from './peer-adapter.ts'
import { serveAsProcess } from './server-process.ts'

/**
 * A server that shows the cost of Node and the driver alone. It reads a request, authenticates no client, stores a
 * token in the same way as the peer, and returns the token. Every server that runs one query for each token issues
 * fewer tokens a second.
 */
serveAsProcess(({ settings, pool }) => {
  const tokens = peerAdapter(pool, settings.stores)('Floor')
  const issue = async () => {
    const token = randomBytes(32).toString('base64url')
    const payload = { kind: 'Floor', jti: token, clientId: settings.clients[0]?.id, scope: settings.scope }
    await tokens.upsert(token, payload, CLIENT_TOKEN_SECONDS)
    const { scope } = settings
    return JSON.stringify({ access_token: token, expires_in: CLIENT_TOKEN_SECONDS, token_type: 'Bearer', scope })
  }
  return (request, response) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
    request.resume().once('end', () => {
      issue().then(
        (body) => response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      )
    })
  }
})
