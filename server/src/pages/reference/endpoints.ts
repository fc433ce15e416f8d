import { HTTP_METHODS, type OpenApiDocument, type Operation } from '#http/openapi-types.ts'
import type { HtmlValue } from '../html.ts'

export type Components = OpenApiDocument['components']
export type Endpoint = { readonly method: string; readonly path: string; readonly operation: Operation }
/** A page of the reference: its heading, and what is below it. */
export type TopicPage = { readonly title: string; readonly content: HtmlValue }
export type Webhook = { readonly event: string; readonly operation: Operation }

export function endpointsOf({ paths }: OpenApiDocument, tag: string): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(tag) ? { method: method.toUpperCase(), path, operation } : []
    }),
  )
}

export function webhooksOf({ webhooks }: OpenApiDocument, tag: string): readonly Webhook[] {
  return Object.entries(webhooks).flatMap(([event, { post }]) =>
    post?.tags.includes(tag) ? { event, operation: post } : [],
  )
}

export type Scope = {
  readonly name: string
  readonly description: string
  readonly acceptedBy: readonly (Endpoint & { readonly topic: string })[]
}

/** The scopes of the OAuth server, each with the operations that accept it. */
export function scopesOf(document: OpenApiDocument): readonly Scope[] {
  const { oauth2 } = document.components.securitySchemes
  const { authorizationCode, clientCredentials } = oauth2?.type === 'oauth2' ? oauth2.flows : {}
  const described = { ...authorizationCode?.scopes, ...clientCredentials?.scopes }
  const endpoints = document.tags.flatMap(({ name: topic }) =>
    endpointsOf(document, topic).map((endpoint) => ({ ...endpoint, topic })),
  )
  return Object.entries(described).map(([name, description]) => {
    const acceptedBy = endpoints.filter(({ operation: { 'x-access': access } }) => {
      return access !== undefined && 'any_scope' in access && access.any_scope.includes(name)
    })
    return { name, description, acceptedBy }
  })
}

/** The name at the end of a reference: `Company` in `#/components/schemas/Company`. */
export function nameIn(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}

/** The addresses of the reference: a page for each topic with a section for each of its operations, and a page for each schema. */
export const REFERENCE = '/docs'
const TOPICS = `${REFERENCE}/api`

export const topicAddress = (name: string): string => `${TOPICS}/${slug(name)}`
export const operationAddress = (topic: string, operation: string): string => `${topicAddress(topic)}#op-${operation}`
export const errorAddress = (name: string): string => `${topicAddress('errors')}#error-${name}`
/** A section of the page that explains what many operations have in common. */
export const conventionAddress = (id: string): string => `${topicAddress('conventions')}#${id}`
export const scopeAddress = (name: string): string => `${topicAddress('scopes')}#scope-${name}`
export const schemaAddress = (name: string): string => `${topicAddress('schemas')}/${name}`

export function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
