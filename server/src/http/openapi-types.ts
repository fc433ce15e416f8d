/** The part of OpenAPI 3.1 that this project writes and reads. */
export type OpenApiDocument = {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: Components
}

export type Tag = { readonly name: string; readonly description?: string }

export const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

export type PathItem = { readonly [M in HttpMethod]?: Operation }

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  /** The full access rule: `security` does not distinguish a user's token from a client-credentials token. */
  readonly 'x-access'?: AccessNote
  /** For an event: which installations receive it, and the scope that each of them needs. */
  readonly 'x-receivers'?: readonly EventReceiver[]
  readonly parameters?: readonly OrRef<Parameter>[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, OrRef<Response>>>
}

/** Scheme names with the scopes they need; an operation's list of these contains alternatives. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export type EventReceiver = { readonly through: string; readonly scope: string | null }

export type AccessNote =
  | { readonly open: string }
  | { readonly holders: readonly string[]; readonly any_scope: readonly string[] }
  | { readonly session: 'required' | 'optional' }

export type Ref = { readonly $ref: string }
export type OrRef<T> = T | Ref

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export type RequestBody = { readonly required: boolean; readonly content: Content }
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
export type Header = { readonly description: string; readonly schema: JsonSchema }

export type Response = {
  readonly description: string
  readonly headers: Readonly<Record<string, OrRef<Header>>>
  readonly content?: Content
}

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'basic'; readonly description: string }
  | {
      readonly type: 'http'
      readonly scheme: 'bearer'
      readonly bearerFormat: string
      readonly description: string
    }
  | {
      readonly type: 'oauth2'
      readonly description: string
      readonly flows: {
        readonly authorizationCode: {
          readonly authorizationUrl: string
          readonly tokenUrl: string
          readonly refreshUrl: string
          readonly scopes: Readonly<Record<string, string>>
        }
        readonly clientCredentials: { readonly tokenUrl: string; readonly scopes: Readonly<Record<string, string>> }
      }
    }
  | { readonly type: 'apiKey'; readonly in: 'cookie'; readonly name: string; readonly description: string }

type Components = {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly responses: Readonly<Record<string, Response>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

/** The part of JSON Schema 2020-12 that TypeBox produces and the reference shows. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

export function isRef(value: object): value is Ref {
  return '$ref' in value
}
