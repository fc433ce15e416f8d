import type { Schemas } from './client.ts'

export type LimitName = Schemas['AppLimits']['attributes']['limits'][number]['name']

/** What each limit counts, and for which token, key, endpoint or address it counts separately. */
const LIMIT_WORDS: Readonly<Record<LimitName, readonly [what: string, whose: string]>> = {
  access_token: ['API requests', 'each access token'],
  publishable_key: ['Public reads with a publishable key', 'each key'],
  server_key: ['Requests with key and secret', 'each key'],
  token_client: ['Token requests', 'each key'],
  pending_intent: ['New pending intents', 'each access token'],
  webhook_test: ['Webhook tests', 'each endpoint'],
  address: ['API requests', 'each IP address'],
  public_catalog: ['Public catalogue', 'each IP address'],
  token_address: ['Token requests', 'each IP address'],
  document: ['Pages and documents', 'each IP address'],
  unknown_token: ['Unknown credentials', 'each IP address'],
}

const WORDS_BY_NAME: Readonly<Record<string, readonly [what: string, whose: string]>> = LIMIT_WORDS

/**
 * After an upgrade of the server, an open tab can get the name of a limit that its build does not know. The tab then
 * shows this name.
 */
export const limitWords = (name: string): readonly [what: string, whose?: string] => WORDS_BY_NAME[name] ?? [name]
