import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { HTTP_METHODS, isRef, type OpenApiDocument, type Operation } from '../server/src/http/openapi-types.ts'

const SUMMARY_WORDS_MAX = 6

type Place = { readonly name: string; readonly path: string; readonly operation: Operation }
type Rule = (places: readonly Place[], document: OpenApiDocument) => readonly string[]

const GLOSSARY = join(import.meta.dirname, '../docs/glossary.md')

/** The allowed first words of summaries: the first column of the glossary's table of verbs. */
function verbsOf(glossary: string): ReadonlySet<string> {
  const section = glossary.split(/^## /m).find((each) => each.startsWith('Verbs of API summaries')) ?? ''
  return new Set([...section.matchAll(/^\| ([A-Z][a-z]+) \|/gm)].flatMap(([, verb]) => verb ?? []))
}

const VERBS = verbsOf(await readFile(GLOSSARY, 'utf8'))

/**
 * Returns the problems of the document, one sentence each. Only a document that fits the official schema of OpenAPI 3.1
 * (references included) is also checked against our own rules, because the rules rely on fields that the schema checks.
 */
export async function lintOpenApi(document: object): Promise<readonly string[]> {
  const { valid, errors } = await new Validator({ allErrors: true }).validate(structuredClone({ ...document }))
  if (!valid) {
    const all = typeof errors === 'string' ? [{ instancePath: '', message: errors }] : (errors ?? [])
    return all.map(({ instancePath, message }) => `not OpenAPI 3.1 at ${instancePath || '/'}: ${message}`)
  }
  const typed = document as OpenApiDocument
  const places = operationsOf(typed)
  return RULES.flatMap((rule) => rule(places, typed))
}

function operationsOf({ paths, webhooks }: OpenApiDocument): readonly Place[] {
  const sections = [...Object.entries(paths), ...Object.entries(webhooks ?? {})]
  return sections.flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : { name: `${method.toUpperCase()} ${path}`, path, operation }
    }),
  )
}

const everyOperationIsDescribed: Rule = (places) =>
  places.flatMap(({ name, operation }) => [
    ...summaryProblems(operation.summary).map((problem) => `${name} ${problem}`),
    ...(operation.description?.trim() ? [] : [`${name} has no description`]),
    ...(/^[a-z][A-Za-z0-9]*$/.test(operation.operationId ?? '') ? [] : [`${name} has no operationId in camelCase`]),
    ...(operation.tags?.length === 1 ? [] : [`${name} does not have exactly one tag`]),
  ])

/** Checks a summary: clients, Postman and the reference use it as the name of the request. */
function summaryProblems(summary: string | undefined): readonly string[] {
  const words = (summary ?? '').trim().split(/\s+/)
  if (words[0] === '') return ['has no summary']
  return [
    ...(words.length > SUMMARY_WORDS_MAX ? [`has a summary of ${words.length} words: "${summary}"`] : []),
    ...(VERBS.has(words[0] ?? '')
      ? []
      : [`has a summary whose first word is not a verb of docs/glossary.md: "${summary}"`]),
  ]
}

const everyTagIsListed: Rule = (places, { tags }) => {
  const listed = new Set((tags ?? []).map(({ name }) => name))
  return places.flatMap(({ name, operation }) =>
    (operation.tags ?? [])
      .filter((tag) => !listed.has(tag))
      .map((tag) => `${name} has a tag that is not listed: ${tag}`),
  )
}

const operationIdsAreUnique: Rule = (places) => {
  const byId = Map.groupBy(places, ({ operation }) => operation.operationId)
  return [...byId].filter(([, same]) => same.length > 1).map(([id, same]) => `${id} names ${listOf(same)}`)
}

const pathsDiffer: Rule = (places) => {
  const paths = new Set(places.map(({ path }) => path))
  const byShape = Map.groupBy(paths, (path) => path.replace(/\{[^}]*\}/g, '{}'))
  return [...byShape.values()]
    .filter((same) => same.length > 1)
    .map((same) => `one path, two names: ${same.join(', ')}`)
}

/**
 * This operation always answers with an error, because its action needs a person's approval. The operation is
 * documented because clients call it.
 */
const NEVER_SUCCEEDS: ReadonlySet<string> = new Set(['removeSyndicateMember'])

const everyOperationCanSucceed: Rule = (places) =>
  places
    .filter(({ operation }) => operation.deprecated !== true && !NEVER_SUCCEEDS.has(operation.operationId))
    .filter(({ operation }) => !Object.keys(operation.responses ?? {}).some((status) => /^[23]/.test(status)))
    .map(({ name }) => `${name} declares no answer of success`)

const pathParametersAreDeclared: Rule = (places) =>
  places.flatMap(({ name, path, operation }) => {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].flatMap(([, parameter]) => parameter ?? [])
    const declared = (operation.parameters ?? []).flatMap((parameter) =>
      !isRef(parameter) && parameter.in === 'path' ? parameter.name : [],
    )
    return [
      ...inPath.filter((parameter) => !declared.includes(parameter)).map((it) => `${name} does not declare {${it}}`),
      ...declared
        .filter((parameter) => !inPath.includes(parameter))
        .map((it) => `${name} declares {${it}}, which its path lacks`),
    ]
  })

const everyOperationSaysWhoMayCall: Rule = (places, { webhooks, components }) => {
  const schemes = new Set(Object.keys(components?.securitySchemes ?? {}))
  return places
    .filter(({ path }) => !Object.hasOwn(webhooks ?? {}, path))
    .flatMap(({ name, operation }) => {
      const used = (operation.security ?? []).flatMap((alternative) => Object.keys(alternative))
      return [
        ...(operation['x-access'] === undefined || operation.security === undefined
          ? [`${name} does not say who may call`]
          : []),
        ...used
          .filter((scheme) => !schemes.has(scheme))
          .map((scheme) => `${name} wants an unknown credential: ${scheme}`),
      ]
    })
}

const everyScopeIsGranted: Rule = (places, { components }) => {
  const schemes = Object.values(components?.securitySchemes ?? {})
  const flows = schemes.flatMap((scheme) => (scheme.type === 'oauth2' ? Object.values(scheme.flows) : []))
  const granted = new Set(flows.flatMap(({ scopes }) => Object.keys(scopes)))
  return places.flatMap(({ name, operation }) =>
    (operation.security ?? [])
      .flatMap(({ oauth2: scopes = [] }) => scopes)
      .filter((scope) => !granted.has(scope))
      .map((scope) => `${name} needs a scope that no flow grants: ${scope}`),
  )
}

const serversAreAbsolute: Rule = (_places, { servers }) =>
  servers.filter(({ url }) => !URL.canParse(url)).map(({ url }) => `the server ${url} is not absolute`)

const noSchemaIsLeftOver: Rule = (_places, document) => {
  const text = JSON.stringify(document)
  return Object.keys(document.components?.schemas ?? {})
    .filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    .map((name) => `nothing refers to the schema ${name}`)
}

const RULES: readonly Rule[] = [
  everyOperationIsDescribed,
  everyTagIsListed,
  operationIdsAreUnique,
  pathsDiffer,
  everyOperationCanSucceed,
  pathParametersAreDeclared,
  everyOperationSaysWhoMayCall,
  everyScopeIsGranted,
  serversAreAbsolute,
  noSchemaIsLeftOver,
]

function listOf(places: readonly Place[]): string {
  return places.map(({ name }) => name).join(' and ')
}

if (import.meta.main) {
  const file = process.argv[2] ?? 'server/openapi.json'
  const problems = await lintOpenApi(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')))
  for (const problem of problems) process.stdout.write(`${file}: ${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
