import type { ServerSettings } from './server-process.ts'

/** Our clients as the peer registers them. */
export const peerClients = ({ clients, scope }: Pick<ServerSettings, 'clients' | 'scope'>) =>
  clients.map(({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    scope,
  }))
