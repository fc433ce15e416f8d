import type { TSchema } from 'typebox'
import { servesStaff } from './access.ts'
import { servesCommandLines } from './browser/admit-person.ts'
import {
  COMMAND_LINE_SCHEME,
  everyResponseHeaders,
  header,
  isConditional,
  SESSION_SCHEME,
  STAFF_SCHEME,
  takesIdempotencyKey,
  tokenSecurity,
} from './openapi-common.ts'
import { errorReferences } from './openapi-errors.ts'
import { type ApiExamples, type OperationExamples, parameterExampleOf, responseExampleOf } from './openapi-examples.ts'
import type { SchemaComponents } from './openapi-schemas.ts'
import type {
  AccessNote,
  Content,
  JsonSchema,
  Operation,
  OrRef,
  Parameter,
  RequestBody,
  Response,
} from './openapi-types.ts'
import { needsReason } from './operator-reason.ts'
import type { Route } from './route.ts'

/** Shared by the operations of one document. */
export type Describing = { readonly brand: string; readonly schemas: SchemaComponents; readonly examples: ApiExamples }

export function operationOf(route: Route, { brand, schemas, examples }: Describing): Operation {
  const recorded = examples.operations[route.operation]
  const parameters = parametersOf(route, schemas, recorded)
  const { body } = route.schema
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.removed === true ? { deprecated: true as const } : {}),
    tags: [route.tag],
    security: securityOf(route),
    'x-access': accessNote(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(route, body, schemas, recorded) }),
    responses: {
      ...toSignIn(route, brand),
      ...errorReferences(route),
      ...ownResponses(route, { brand, schemas, recorded }),
    },
  }
}

function securityOf(route: Route): Operation['security'] {
  const { access } = route
  switch (access.kind) {
    case 'open':
      return []
    case 'token':
      return [...tokenSecurity(access), ...(servesStaff(access) ? [{ [STAFF_SCHEME]: [] }] : [])]
    case 'session':
      return [
        { [SESSION_SCHEME]: [] },
        ...(servesCommandLines(route) ? [{ [COMMAND_LINE_SCHEME]: [] }] : []),
        ...(access.required ? [] : [{}]),
      ]
  }
}

function accessNote({ access }: Route): AccessNote {
  switch (access.kind) {
    case 'open':
      return { open: access.why }
    case 'token':
      return { holders: access.holders, any_scope: access.anyScope }
    case 'session':
      return { session: access.required ? 'required' : 'optional' }
  }
}

function parametersOf(
  route: Route,
  schemas: SchemaComponents,
  recorded: OperationExamples | undefined,
): OrRef<Parameter>[] {
  const { params, query } = route.schema
  const common = [
    ...(route.access.kind === 'token' ? ['ApiVersion'] : []),
    ...(takesIdempotencyKey(route) ? ['IdempotencyKey'] : []),
    // A route that also serves apps is documented for partners, who give no reason.
    ...(needsReason(route) && servesStaff(route.access) ? ['OperatorReason'] : []),
    ...(servesStaff(route.access) ? ['OperatorMode'] : []),
    ...(isConditional(route) ? ['IfNoneMatch'] : []),
  ]
  return [
    ...fieldsOf(params).map((field) => parameter('path', field, schemas, recorded)),
    ...fieldsOf(query).map((field) => parameter('query', field, schemas, recorded)),
    ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

type Field = { readonly name: string; readonly required: boolean; readonly schema: object }

function fieldsOf(object: (TSchema & JsonSchema) | undefined): Field[] {
  const required = new Set(object?.required)
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => ({
    name,
    required: required.has(name),
    schema,
  }))
}

function parameter(
  place: 'path' | 'query',
  { name, required, schema }: Field,
  schemas: SchemaComponents,
  recorded: OperationExamples | undefined,
): Parameter {
  const { description, ...placed } = schemas.place(schema)
  return {
    name,
    in: place,
    required: place === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema: placed,
    ...parameterExampleOf(name, placed, recorded),
  }
}

/** A body without required fields may be left out. */
function requestBody(
  { accepts }: Route,
  body: TSchema & JsonSchema,
  schemas: SchemaComponents,
  recorded: OperationExamples | undefined,
): RequestBody {
  const optional = body.type === 'object' && (body.required ?? []).length === 0
  const schema = schemas.place(body)
  const types = accepts ?? ['application/json']
  const example = recorded?.body === undefined ? {} : { example: recorded.body }
  return { required: !optional, content: Object.fromEntries(types.map((type) => [type, { schema, ...example }])) }
}

/** A page for signed-in people redirects other visitors. */
function toSignIn({ access, errorsAs }: Route, brand: string): Record<string, Response> {
  if (access.kind !== 'session' || !access.required || errorsAs !== 'page') return {}
  return { '303': { description: 'Redirects to the sign-in page and back', headers: everyResponseHeaders(brand) } }
}

type Answering = {
  readonly brand: string
  readonly schemas: SchemaComponents
  readonly recorded: OperationExamples | undefined
}

function ownResponses(route: Route, { brand, schemas, recorded }: Answering): Record<string, Response> {
  const entries = Object.entries(route.schema.response).map(([status, schema]): [string, Response] => {
    const described: JsonSchema = schema
    const content = contentOf(route, Number(status), schema, { schemas, recorded })
    const replayed = takesIdempotencyKey(route) && Number(status) < 300
    return [
      status,
      {
        description:
          described.description ?? replayWords(route, status) ?? STATUS_WORDS[Number(status)] ?? `Status ${status}`,
        headers: {
          ...everyResponseHeaders(brand),
          ...(replayed ? { 'Idempotent-Replayed': header('IdempotentReplayed') } : {}),
          ...(isConditional(route) && ['200', '304'].includes(status) ? { ETag: header('ETag') } : {}),
        },
        ...(content === undefined ? {} : { content }),
      },
    ]
  })
  return Object.fromEntries(entries)
}

/** The description of 200 on a route that creates with 201 and replays with 200. */
function replayWords({ replayedAs }: Route, status: string): string | undefined {
  if (replayedAs === undefined || status !== '200') return undefined
  const when = replayedAs === 'ok' ? '' : ', in versions before 2026-11-01'
  return `The record exists already, or the same Idempotency-Key was sent before${when}`
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
  207: 'Done in part',
  302: 'Redirects to another address',
  303: 'Redirects to another address',
  304: 'Not changed',
  503: 'Temporarily unavailable',
}

const WITHOUT_BODY = new Set(['null', 'undefined', 'void'])

function contentOf(
  route: Route,
  status: number,
  schema: TSchema & JsonSchema,
  { schemas, recorded }: Omit<Answering, 'brand'>,
): Content | undefined {
  const bodiless = status === 204 || (status >= 300 && status < 400)
  if (bodiless || (typeof schema.type === 'string' && WITHOUT_BODY.has(schema.type))) return undefined
  const type = route.contentType?.split(';')[0] ?? 'application/json'
  return { [type]: { schema: schemas.place(schema), ...responseExampleOf(type, String(status), recorded) } }
}
