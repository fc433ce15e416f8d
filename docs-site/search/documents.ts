import { SCOPE_CATALOGUE, SCOPE_NAMES } from '@portico/server/access/scopes/index.ts'
import { HTTP_METHODS, isRef, type JsonSchema, type OpenApiDocument } from '../../server/src/http/openapi-types.ts'
import { VERSION_STEPS } from '../../server/src/main/routes.ts'
import { html } from '../../server/src/pages/html.ts'
import { conventionsPage, versionsPage } from '../../server/src/pages/reference/conventions.ts'
import {
  conventionAddress,
  endpointsOf,
  errorAddress,
  nameIn,
  operationAddress,
  schemaAddress,
  scopeAddress,
  scopesOf,
  type TopicPage,
  topicAddress,
  webhooksOf,
} from '../../server/src/pages/reference/endpoints.ts'
import type { Kind, SearchDocument } from './engine.ts'

/** A guide as the build of the guides writes it. */
export type Guide = {
  readonly slug: string
  readonly title: string
  readonly group: string
  /** Words that readers use for the guide, but that its text does not contain. */
  readonly also?: string
  readonly sections: readonly { readonly id: string; readonly title: string; readonly text: string }[]
}

type Draft = Omit<SearchDocument, 'id' | 'weight' | 'also' | 'text' | 'names'> &
  Partial<Pick<SearchDocument, 'weight' | 'also' | 'text'>> & { readonly names: readonly string[] }

/**
 * Everything that search finds. Each operation, event, error type, scope, convention, schema and section of a guide is one
 * document. So are each field of the schemas for partners, each older version and each operation that differs in it.
 */
export function searchDocuments(api: OpenApiDocument, guides: readonly Guide[]): readonly SearchDocument[] {
  const drafts = [
    ...operations(api),
    ...events(api),
    ...errors(api),
    ...scopes(api),
    ...conventions(api),
    ...versions(api),
    ...schemas(api),
    ...guides.flatMap(sections),
  ]
  return drafts.map((one, id) => ({ weight: 1, also: '', text: '', ...one, names: one.names.join('\n'), id }))
}

/** Most readers are partners who look for other topics, so search lists the operations of these topics later. */
const TOPIC_WEIGHTS: Readonly<Record<string, number>> = {
  Portal: 0.5,
  'Platform feed': 0.7,
  'Platform partners': 0.6,
  'Platform accounts': 0.6,
  Sandbox: 0.8,
  Removed: 0.3,
}

function operations(api: OpenApiDocument): readonly Draft[] {
  return api.tags.flatMap(({ name: topic }) =>
    endpointsOf(api, topic).map(({ method, path, operation }) => {
      const access = operation['x-access']
      const parameters = (operation.parameters ?? []).flatMap((one) => (isRef(one) ? [] : [one.name]))
      const [body] = Object.values(operation.requestBody?.content ?? {})
      const fields = body === undefined ? [] : fieldsIn(body.schema, api).map(({ name }) => name)
      return {
        kind: 'operation' as const,
        title: operation.summary,
        place: `${method} ${path}`,
        names: [`${method} ${path}`, path, operation.operationId],
        also: [topic, ...(access !== undefined && 'any_scope' in access ? access.any_scope : [])].join(' '),
        text: [operation.description ?? '', listed('Parameters', parameters), listed('Fields', [...new Set(fields)])]
          .filter((part) => part !== '')
          .join(' '),
        address: operationAddress(topic, operation.operationId),
        weight: TOPIC_WEIGHTS[topic] ?? 1,
      }
    }),
  )
}

function listed(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${title}: ${names.join(', ')}.`
}

function events(api: OpenApiDocument): readonly Draft[] {
  return api.tags.flatMap(({ name: topic }) =>
    webhooksOf(api, topic).map(({ event, operation }) => ({
      kind: 'event' as const,
      title: event,
      place: 'Webhook event',
      names: [operation.operationId],
      also: 'event webhook when',
      text: operation.description ?? '',
      address: operationAddress(topic, operation.operationId),
    })),
  )
}

const ERROR_TYPES = / `error\.type`: (.+)\.$/

/** A document for each `error.type`. Errors of pages and of OAuth have no `error.type`. */
function errors(api: OpenApiDocument): readonly Draft[] {
  return Object.entries(api.components.responses).flatMap(([name, { description }]) => {
    const types = (ERROR_TYPES.exec(description)?.[1] ?? '').match(/[a-z_]+/g) ?? []
    const { status, returnedBy } = returnOf(name, api)
    return types.map((type) => ({
      kind: 'error' as const,
      title: type,
      place: `${status} ${name}`,
      names: [status, name],
      also: `error status code mean ${returnedBy.join(' ')}`,
      text: description.replace(ERROR_TYPES, ''),
      address: errorAddress(name),
    }))
  })
}

/**
 * Readers search for a rare error by its topic, such as "410 on sync". An error that more than this many operations
 * return is not rare.
 */
const FEW_OPERATIONS = 60

function returnOf(name: string, { paths, tags }: OpenApiDocument): { status: string; returnedBy: readonly string[] } {
  const uses = Object.values(paths)
    .flatMap((item) => HTTP_METHODS.flatMap((method) => item[method] ?? []))
    .flatMap(({ responses, tags: [topic = ''] }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        isRef(response) && nameIn(response.$ref) === name ? [{ status, topic }] : [],
      ),
    )
  const topics = uses.length > FEW_OPERATIONS ? [] : [...new Set(uses.map(({ topic }) => topic))]
  const words = topics.map((topic) => `${topic} ${tags.find((tag) => tag.name === topic)?.description ?? ''}`)
  return { status: uses[0]?.status ?? '', returnedBy: words }
}

/** A document for each scope that the OpenAPI document lists: an app can have these scopes today. */
function scopes(api: OpenApiDocument): readonly Draft[] {
  const shown = new Set(scopesOf(api).map(({ name }) => name))
  return SCOPE_NAMES.filter((name) => shown.has(name)).map((name) => ({
    kind: 'scope' as const,
    title: name,
    place: 'Scope',
    names: [],
    also: 'scope permission',
    text: [SCOPE_CATALOGUE[name].consent, SCOPE_CATALOGUE[name].sensitive ?? ''].join(' '),
    address: scopeAddress(name),
  }))
}

const sectionsIn = (page: TopicPage, type: string) =>
  [...html`${page.content}`.markup.matchAll(SECTION)]
    .filter(([, className = '']) => className === type)
    .map(([, , id = '', title = '', text = '']) => ({ id, title: plainText(title), text: plainText(text) }))

/** A section, with its text up to an inner section, a code block or the end: the sections of versions contain other sections. */
const SECTION = /<section class="([a-z ]+)" id="([^"]+)"><h[23]>(.*?)<\/h[23]>(.*?)(?=<section|<pre|<\/section>)/gs

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const plainText = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** Words with which readers search for a convention. */
const CONVENTION_WORDS: Readonly<Record<string, string>> = {
  pagination: 'maximum max page size per page limit rows all pages next',
  money: 'amount cents dollars currency price units',
  idempotency: 'retry twice duplicate repeat safe',
  limits: 'rate limit throttle 429 quota',
  errors: 'error shape format request failed',
}

function conventions(api: OpenApiDocument): readonly Draft[] {
  return sectionsIn(conventionsPage(api), 'operation convention').map(({ id, title, text }) => ({
    kind: 'convention' as const,
    title,
    place: 'Reference › Conventions',
    names: [],
    also: CONVENTION_WORDS[id] ?? '',
    text,
    address: conventionAddress(id),
  }))
}

/** Documents for what differs in an older version, in general and by operation. Search lists them after the operation itself. */
function versions(api: OpenApiDocument): readonly Draft[] {
  const page = versionsPage(api, VERSION_STEPS)
  const whole = sectionsIn(page, 'operation')
  const ids = whole.map(({ id }) => id.slice(-VERSION_LENGTH)).join(' ')
  const found = [...whole, ...sectionsIn(page, 'topic')]
  return found.map(({ id, title, text }) => ({
    kind: 'version' as const,
    title: id.startsWith('version-') ? title : `${title} in ${id.slice(0, VERSION_LENGTH)}`,
    place: 'Reference › Versions',
    names: [],
    also: `older version differs changed ${ids}`,
    text,
    address: `${topicAddress('versions')}#${id}`,
    weight: 0.5,
  }))
}

const VERSION_LENGTH = '2025-01-15'.length

function schemas(api: OpenApiDocument): readonly Draft[] {
  const forPartners = schemasForPartners(api)
  return Object.entries(api.components.schemas).flatMap(([name, schema]) => {
    const address = schemaAddress(name)
    const fields = new Map(fieldsIn(schema, api).map((field) => [field.name, field]))
    const own: Draft = {
      kind: 'schema',
      title: name,
      place: 'Schema',
      names: [],
      text: [schema.description ?? '', listed('Fields', [...fields.keys()])].join(' ').trim(),
      address,
      weight: 0.6,
    }
    if (isEnvelope(name) || !forPartners.has(name)) return [own]
    const inside = [...fields.values()].map(({ name: field, path, description }) => ({
      kind: 'field' as const,
      title: field,
      place: [name, ...path].join(' › '),
      names: [],
      text: description,
      address,
      weight: 0.5,
    }))
    return [own, ...inside]
  })
}

/** Fields that only these topics use have no documents of their own, because no partner searches for them. */
const NOT_FOR_PARTNERS = ['Portal', 'Platform accounts', 'Removed']

/** The names of all schemas that the operations and events for partners use, directly or through another schema. */
function schemasForPartners({ paths, webhooks, components }: OpenApiDocument): ReadonlySet<string> {
  const used = new Set<string>()
  const use = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      use(components.schemas[name] ?? {})
    }
  }
  for (const item of [...Object.values(paths), ...Object.values(webhooks)]) {
    for (const operation of HTTP_METHODS.flatMap((method) => item[method] ?? [])) {
      if (!operation.tags.some((tag) => NOT_FOR_PARTNERS.includes(tag))) use(operation)
    }
  }
  return used
}

/** Whether a schema only wraps records in `data`, beside `meta` and `links`. These fields get no documents of their own. */
const isEnvelope = (name: string) => /(Envelope|List|Page)$/.test(name)

type Field = { readonly name: string; readonly path: readonly string[]; readonly description: string }

/** The fields that a schema declares itself, at every depth. Fields of another named schema belong to that schema. */
function fieldsIn(schema: JsonSchema, api: OpenApiDocument, path: readonly string[] = []): readonly Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    { name, path, description: inner.description ?? '' },
    ...fieldsIn(inner, api, [...path, name]),
  ])
  const items = typeof schema.items === 'object' ? [schema.items] : []
  const parts = [...items, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [...own, ...parts.flatMap((part) => fieldsIn(part, api, path))]
}

function sections({ slug, title, group, also = '', sections: parts }: Guide): readonly Draft[] {
  return parts.map((section, i) => ({
    kind: 'guide' as Kind,
    title: i === 0 ? title : section.title,
    place: i === 0 ? group : `${group} › ${title}`,
    names: [],
    also: i === 0 ? `${title} ${also}` : title,
    text: section.text,
    address: `/docs/guides/${slug}${i === 0 || section.id === '' ? '' : `#${section.id}`}`,
    weight: 1,
  }))
}
