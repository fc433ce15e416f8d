import { HTTP_METHODS, type OpenApiDocument, type Operation } from '#http/openapi-types.ts'

export type Components = OpenApiDocument['components']
export type Endpoint = { readonly method: string; readonly path: string; readonly operation: Operation }
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

/** The last word of `#/components/schemas/Company`. */
export function nameIn(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}
