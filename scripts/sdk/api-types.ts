/** The parts of JSON Schema that server/openapi.json uses. Another keyword that changes a type has to be added here. */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
export type OpenApi = {
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: { readonly ApiVersion: { readonly example?: unknown } }
  }
}

const JSON_TYPE = 'application/json'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const LEFT_OUT_TAGS = ['Removed']

/** The whole text of sdk/src/api-types.ts: one type for each schema, one entry for each operation, one for each event. */
export function apiTypes({ paths, webhooks, components }: OpenApi): string {
  const version = JSON.stringify(components.parameters.ApiVersion.example)
  return `// Generated from server/openapi.json by npm run generate. Do not edit.

/** The API version these types describe, sent with every request. */
export const API_VERSION = ${version}

${Object.entries(components.schemas).map(namedType).join('\n\n')}

/** What each operation takes and returns, by method and path. */
export interface Operations {
${eachOperation(paths)
  .map(([key, operation]) => operationEntry(key, operation))
  .join('\n')}
}

/** The body of each webhook, by the name of its event. */
export interface EventPayloads {
${eachOperation(webhooks)
  .map(([key, operation]) => eventEntry(key.replace(/^\S+ /, ''), operation))
  .join('\n')}
}
`
}

function namedType([name, schema]: readonly [string, Schema]): string {
  return `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}`
}

function eachOperation(paths: Paths): (readonly [string, Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      const isWanted = operation !== undefined && !operation.tags?.some((tag) => LEFT_OUT_TAGS.includes(tag))
      return isWanted ? [[`${method.toUpperCase()} ${path}`, operation] as const] : []
    }),
  )
}

function operationEntry(key: string, operation: Operation): string {
  const response = responseType(operation)
  if (response === undefined) return ''
  const fields = [
    parametersField('path', operation),
    parametersField('query', operation),
    bodyField(operation),
    `    response: ${response}`,
  ]
  const text = fields.filter((field) => field !== '').join('\n')
  return `${comment(operation.summary, '  ')}  ${JSON.stringify(key)}: {\n${text}\n  }`
}

/** Undefined for an operation that only returns pages or text. */
function responseType({ responses }: Operation): string | undefined {
  const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = succeeded.flatMap(([status, { content }]) => {
    if (status === '204') return ['undefined']
    const schema = content?.[JSON_TYPE]?.schema
    return schema === undefined ? [] : [typeOf(schema, '    ')]
  })
  return types.length === 0 ? undefined : [...new Set(types)].join(' | ')
}

function parametersField(place: 'path' | 'query', { parameters = [] }: Operation): string {
  const own = parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return ''
  const isOptional = own.every(({ required }) => required !== true)
  const fields = own.map(({ name, required, description, schema }) =>
    field(name, { ...schema, ...(description && { description }) }, required === true, '      '),
  )
  return `    ${place}${isOptional ? '?' : ''}: {\n${fields.join('\n')}\n    }`
}

function bodyField({ requestBody }: Operation): string {
  const schema = requestBody?.content[JSON_TYPE]?.schema
  if (schema === undefined) return ''
  return `    body${requestBody?.required === true ? '' : '?'}: ${typeOf(schema, '    ')}`
}

function eventEntry(name: string, { summary, requestBody }: Operation): string {
  const schema = requestBody?.content[JSON_TYPE]?.schema ?? {}
  return `${comment(summary, '  ')}  ${JSON.stringify(name)}: ${typeOf(schema, '  ')}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return union(variants.map((variant) => typeOf(variant, indent)))
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${typeOf(part, indent)})`).join(' & ')
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : objectType(schema, indent)
  return union(types.map((type) => typeNamed(type, schema, indent)))
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function typeNamed(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`
  return type === 'object' ? objectType(schema, indent) : type
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name), `${indent}  `),
  )
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  if (fields.length === 0) return `Record<string, ${values}>`
  return `{\n${fields.join('\n')}\n${indent}}`
}

function field(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
  return `${comment(schema.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${typeOf(schema, indent)}`
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`
}
