import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { envelopeSchema } from '#events/http.ts'
import { EVENT_NAMES } from '#events/index.ts'
import { isRef, type OpenApiDocument } from '#http/openapi-types.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { recordedExamples } from '#main/reference-sources.ts'
import { describeApi } from '#main/routes.ts'
import { SETTINGS } from '#main/settings.ts'

/** "Examples for every parameter, body and response taken from the demo world and validated against the schema." */

const ROUTES = describedRoutes()
const EXAMPLES = recordedExamples()
const DOCUMENT: OpenApiDocument = describeApi(ROUTES, { brand: SETTINGS.brand.default, baseUrl: 'https://api.example' })
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((item) => Object.values(item))
const HOW_TO = 'npm run generate:examples records the examples, and scripts/examples has the calls'

describe('the document has an example', () => {
  test('of every parameter', () => {
    const bare = OPERATIONS.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((one) => (isRef(one) || one.example !== undefined ? [] : [`${operationId}: ${one.name}`])),
    )
    expect(bare, HOW_TO).toEqual([])
    expect(Object.values(DOCUMENT.components.parameters).filter(({ example }) => example === undefined)).toEqual([])
  })

  test('of every body', () => {
    const bare = OPERATIONS.filter(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).some(({ example }) => example === undefined),
    )
    expect(
      bare.map(({ operationId }) => operationId),
      HOW_TO,
    ).toEqual([])
  })

  test('of every response', () => {
    const answers = OPERATIONS.flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, answer]) => ({ name: `${operationId} ${status}`, answer })),
    )
    const common = Object.entries(DOCUMENT.components.responses).map(([name, answer]) => ({ name, answer }))
    const bare = [...answers, ...common].filter(
      ({ answer }) =>
        !isRef(answer) && Object.values(answer.content ?? {}).some(({ example }) => example === undefined),
    )
    expect(
      bare.map(({ name }) => name),
      HOW_TO,
    ).toEqual([])
  })

  test('of every webhook event', () => {
    expect(Object.keys(EXAMPLES.webhooks).sort(), HOW_TO).toEqual([...EVENT_NAMES].sort())
  })
})

describe('an example is valid by its schema', () => {
  const operations = ROUTES.map(({ operation }) => operation).filter((name) => EXAMPLES.operations[name] !== undefined)
  const schemaOf = (operation: string) => ROUTES.find((each) => each.operation === operation)?.schema

  test.each(operations)('%s', (operation) => {
    const recorded = EXAMPLES.operations[operation]
    const schema = schemaOf(operation)
    const wrong = Object.entries(recorded?.responses ?? {}).flatMap(([status, body]) => {
      const declared = schema?.response[Number(status)]
      if (declared === undefined) throw new Error(`${status} is not declared any more: ${HOW_TO}`)
      return problems(declared, body).map((problem) => [status, problem])
    })
    expect(wrong).toEqual([])
    const hasBody = schema?.body !== undefined && recorded?.body !== undefined
    expect(hasBody ? problems(schema.body, recorded.body) : []).toEqual([])
  })

  test.each(OPERATIONS.map(({ operationId }) => operationId))('the parameters of %s', (operation) => {
    const schema = schemaOf(operation)
    const fields = { ...fieldsOf(schema?.params), ...fieldsOf(schema?.query) }
    const parameters = OPERATIONS.find(({ operationId }) => operationId === operation)?.parameters ?? []
    const wrong = parameters.flatMap((parameter) => {
      if (isRef(parameter)) return []
      const { name, example } = parameter
      return problems(fields[name] ?? {}, example).map((problem) => [name, problem])
    })
    expect(wrong).toEqual([])
  })

  test.each(EVENT_NAMES.filter((name) => EXAMPLES.webhooks[name] !== undefined))('the event %s', (event) => {
    expect(problems(envelopeSchema(event), EXAMPLES.webhooks[event])).toEqual([])
  })
})

describe('an example', () => {
  const text = JSON.stringify(EXAMPLES)

  test('of a value is not a placeholder', () => {
    expect(text).not.toMatch(/:"(?:text|string)"|lorem/i)
  })

  test('contains no secret, and no data of the machine that recorded it', () => {
    const secrets = text.match(/\b(?:sk|at|rt|ok|ac)_(?:test|live)_(?!Example|notTheSecret|alreadyUsed)\w+/g)
    expect(secrets).toBeNull()
    expect(text).not.toMatch(/127\.0\.0\.1:\d{4,}(?!\/callback)|localhost:(?!3000)/)
  })
})

function fieldsOf(schema: object | undefined): Record<string, object> {
  return (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {}
}

function problems(schema: object, value: unknown): string[] {
  if (Value.Check(schema, value)) return []
  return Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
