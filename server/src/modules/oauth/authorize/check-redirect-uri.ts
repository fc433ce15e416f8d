import type { Client } from '#modules/apps/index.ts'
import type { ClientParameters } from './read-query.ts'
import { impliedUri, isRegistered } from './redirect-uri.ts'
import { PageRefusal } from './refusals.ts'

type Request = Pick<ClientParameters, 'requestedUri'> & { readonly client: Client }

/** From here on errors are sent to the app: this is the last check whose refusal stays on our page. */
export function checkRedirectUri({ client, requestedUri }: Request): { readonly redirectUri: string } {
  const redirectUri = requestedUri ?? impliedUri(client.redirectUris)
  if (redirectUri === null) throw wrong('redirect_uri is missing.')
  if (!isRegistered(redirectUri, client.redirectUris)) throw wrong('redirect_uri is not registered for this key.')
  return { redirectUri }
}

function wrong(detail: string): PageRefusal {
  return new PageRefusal('wrong_redirect_uri', detail)
}
