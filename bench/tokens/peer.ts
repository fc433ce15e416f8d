import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { CLIENT_TOKEN_SECONDS, peerAdapter } from './peer-adapter.ts'
import { peerClients } from './peer-client.ts'
import { serveAsProcess } from './server-process.ts'

/**
 * `oidc-provider` with the fastest settings that still do the compared work: the client authenticates with its secret,
 * the token is opaque, and it is one committed row in PostgreSQL before the response. Everything that the
 * client-credentials grant does not need is off.
 */
serveAsProcess(({ settings, pool, address }) => {
  const provider = new Provider(address, {
    adapter: peerAdapter(pool, settings.stores),
    clients: settings.clientsIn === 'configuration' ? peerClients(settings) : [],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_basic', id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['client_secret_basic'],
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    responseTypes: [],
    scopes: [settings.scope],
    ttl: { ClientCredentials: CLIENT_TOKEN_SECONDS },
  })
  return provider.callback()
})
