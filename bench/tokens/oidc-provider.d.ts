/** The package has no types; this is the part that the peer uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Payload = { readonly [name: string]: unknown }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUserCode(userCode: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export type Configuration = {
    readonly adapter: (model: string) => Adapter
    readonly clients: readonly { readonly [name: string]: unknown }[]
    readonly clientDefaults: { readonly [name: string]: unknown }
    readonly clientAuthMethods: readonly string[]
    readonly cookies: { readonly keys: readonly string[] }
    readonly features: { readonly [name: string]: { readonly enabled: boolean } }
    readonly jwks: { readonly keys: readonly object[] }
    readonly responseTypes: readonly string[]
    readonly scopes: readonly string[]
    readonly ttl: { readonly [model: string]: number }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }
}
