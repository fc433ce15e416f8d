/** The languages of the samples, in the order in which the reference shows them. */
export const LANGUAGES = {
  curl: 'curl',
  sdk: 'TypeScript SDK',
  fetch: 'fetch',
  python: 'Python',
  ruby: 'Ruby',
} as const
export type Language = keyof typeof LANGUAGES

export type SampleValue = string | number | boolean

/**
 * The request of the samples: the required parameters in the path and the query, and an example body. The "Try it" form begins
 * with the same body.
 */
export type SampleRequest = {
  readonly baseUrl: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly { readonly in: 'path' | 'query'; readonly name: string; readonly value: SampleValue }[]
  readonly body: { readonly type: string; readonly value: unknown } | null
  readonly credential: 'none' | 'publishable' | 'token'
  readonly answers: 'json' | 'text' | 'nothing' | 'stream'
  readonly hasSdkMethod: boolean
}

export const FORM = 'application/x-www-form-urlencoded'

/** A publishable key is not a secret; every other credential is read from the environment. */
export const PUBLISHABLE = 'pk_test_your_key'
const TOKEN = 'PORTICO_TOKEN'

/** Secrets in recorded bodies, which every sample reads from the environment. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/^sk_(test|live)_ExampleOnly/, 'PORTICO_CLIENT_SECRET'],
  [/^at_(test|live)_ExampleOnly/, TOKEN],
]

/** A value that a sample reads from the environment. */
class FromEnvironment {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** These two characters enclose the credential, so that the page's script can replace it by the reader's own credential. */
export const OPEN = '\uE000'
export const CLOSE = '\uE001'
const marked = (text: string) => OPEN + text + CLOSE

/** The sample, with marks around its credential. Null for `sdk` if the SDK has no method for the operation. */
export function markedSample(language: Language, request: SampleRequest): string | null {
  return WRITERS[language](request)
}

const WRITERS: Readonly<Record<Language, (request: SampleRequest) => string | null>> = {
  curl: curlSample,
  sdk: sdkSample,
  fetch: fetchSample,
  python: pythonSample,
  ruby: rubySample,
}

/** Also encodes single quotes, because some samples put the address in single quotes. */
const inAddress = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')

/** The address of a request, with its query. */
export function addressOf({ baseUrl, path, parameters }: SampleRequest): string {
  const values = new Map(parameters.map(({ name, value }) => [name, inAddress(String(value))]))
  const filled = path.replace(/\{([^}]+)\}/g, (all, name: string) => values.get(name) ?? all)
  const query = parameters.filter((it) => it.in === 'query').map(({ name }) => `${name}=${values.get(name)}`)
  return query.length === 0 ? baseUrl + filled : `${baseUrl}${filled}?${query.join('&')}`
}

function curlSample(request: SampleRequest): string {
  const { method, body, credential, answers } = request
  const words = `curl ${answers === 'stream' ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}`
  const known = credential === 'publishable' ? PUBLISHABLE : `$${TOKEN}`
  return [
    `${words}'${addressOf(request)}'`,
    ...(credential === 'none' ? [] : [`-H "Authorization: Bearer ${marked(known)}"`]),
    ...(body === null ? [] : curlBody(body)),
  ].join(' \\\n  ')
}

/** Inside single quotes a shell reads every character literally, except the quote itself. */
function curlBody({ type, value }: NonNullable<SampleRequest['body']>): string[] {
  const safe = withSecrets(value)
  if (type === FORM && isFields(safe)) {
    return Object.entries(safe).map(([name, field]) =>
      field instanceof FromEnvironment
        ? `--data-urlencode "${name}=$${field.name}"`
        : `--data-urlencode '${name}=${shellQuoted(String(field))}'`,
    )
  }
  const text = JSON.stringify(safe, (_, field: unknown) =>
    field instanceof FromEnvironment ? OPEN + field.name : field,
  )
  const quoted = shellQuoted(short(text) ? text : JSON.stringify(JSON.parse(text), null, 2))
  return [
    `-H 'Content-Type: ${type}'`,
    `-d '${quoted.replace(new RegExp(`${OPEN}(\\w+)`, 'g'), (_, name: string) => `'"$${name}"'`)}'`,
  ]
}

const shellQuoted = (text: string) => text.replaceAll("'", `'\\''`)
const short = (text: string) => text.length <= 60

function sdkSample({ baseUrl, method, path, parameters, body, credential, answers, hasSdkMethod }: SampleRequest) {
  if (!hasSdkMethod) return null
  const place = (where: 'path' | 'query') => {
    const own = parameters.filter((it) => it.in === where).map(({ name, value }) => [name, value])
    return own.length === 0 ? {} : { [where]: Object.fromEntries(own) }
  }
  const options = { ...place('path'), ...place('query'), ...(body === null ? {} : { body: withSecrets(body.value) }) }
  const call = `client.${method.toLowerCase()}('${path}'${Object.keys(options).length === 0 ? '' : `, ${written(options, SCRIPT)}`})`
  const [made, key] =
    credential === 'publishable'
      ? ['publishableKey', marked(`'${PUBLISHABLE}'`)]
      : ['accessToken', marked(`process.env['${TOKEN}'] ?? ''`)]
  return [
    `import { Client, ${made} } from '@portico/sdk'`,
    '',
    `const client = new Client({ baseUrl: '${baseUrl}', credential: ${made}(${key}) })`,
    ...(answers === 'nothing' ? [`await ${call}`] : [`const answer = await ${call}`, 'console.log(answer)']),
    '',
  ].join('\n')
}

function fetchSample(request: SampleRequest): string {
  const { method, body, credential, answers } = request
  const headers = [
    ...(credential === 'none' ? [] : [`Authorization: \`Bearer \${token}\``]),
    ...(body === null || body.type === FORM ? [] : [`'Content-Type': '${body.type}'`]),
  ]
  const content = body === null ? '' : written(withSecrets(body.value), SCRIPT, '  ')
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === null
      ? []
      : [body.type === FORM ? `body: new URLSearchParams(${content})` : `body: JSON.stringify(${content})`]),
  ]
  const key = credential === 'publishable' ? `'${PUBLISHABLE}'` : `process.env['${TOKEN}']`
  const print = {
    json: ['console.log(response.status, await response.json())'],
    text: ['console.log(response.status, await response.text())'],
    nothing: ['console.log(response.status)'],
    stream: ['for await (const part of response.body ?? []) process.stdout.write(part)'],
  }[answers]
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`
  return [
    ...(credential === 'none' ? [] : [`const token = ${marked(key)}`]),
    `const response = await fetch(${SCRIPT.text(addressOf(request))}${given})`,
    ...print,
    '',
  ].join('\n')
}

function pythonSample(request: SampleRequest): string {
  const { method, body, credential } = request
  const key = credential === 'publishable' ? `"${PUBLISHABLE}"` : `os.environ["${TOKEN}"]`
  const headers = [
    ...(credential === 'none' ? [] : ['"Authorization": f"Bearer {token}"']),
    ...(body === null || body.type === FORM ? [] : [`"Content-Type": "${body.type}"`]),
  ]
  return [
    ...pythonImports(request),
    '',
    ...(credential === 'none' ? [] : [`token = ${marked(key)}`]),
    ...(body === null ? [] : [`body = ${written(withSecrets(body.value), PYTHON)}`]),
    'request = Request(',
    `    ${PYTHON.text(addressOf(request))},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === null ? [] : [`    data=${body.type === FORM ? 'urlencode' : 'json.dumps'}(body).encode(),`]),
    ')',
    'with urlopen(request) as response:',
    ...PYTHON_PRINTS[request.answers],
    '',
  ].join('\n')
}

const PYTHON_PRINTS: Readonly<Record<SampleRequest['answers'], readonly string[]>> = {
  json: ['    print(response.status, json.load(response))'],
  text: ['    print(response.status, response.read().decode())'],
  nothing: ['    print(response.status)'],
  stream: ['    for line in response:', '        print(line.decode(), end="")'],
}

function pythonImports({ body, credential, answers }: SampleRequest): string[] {
  const isForm = body?.type === FORM
  const readsEnvironment = credential === 'token' || hasSecret(withSecrets(body?.value))
  return [
    ...(answers === 'json' || (body !== null && !isForm) ? ['import json'] : []),
    ...(readsEnvironment ? ['import os'] : []),
    ...(isForm ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
  ]
}

function rubySample(request: SampleRequest): string {
  const { method, body, credential, answers } = request
  const content = body === null ? '' : written(withSecrets(body.value), RUBY)
  const key = credential === 'publishable' ? `"${PUBLISHABLE}"` : `ENV.fetch("${TOKEN}")`
  const start = 'Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https")'
  const send = {
    json: [`response = ${start} { |http| http.request(request) }`, 'puts response.code, JSON.parse(response.body)'],
    text: [`response = ${start} { |http| http.request(request) }`, 'puts response.code, response.body'],
    nothing: [`response = ${start} { |http| http.request(request) }`, 'puts response.code'],
    stream: [
      `${start} do |http|`,
      '  http.request(request) { |response| response.read_body { |part| print part } }',
      'end',
    ],
  }[answers]
  return [
    'require "json"',
    'require "net/http"',
    '',
    `uri = URI(${RUBY.text(addressOf(request))})`,
    `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
    ...(credential === 'none' ? [] : [`request["Authorization"] = "Bearer " + ${marked(key)}`]),
    ...(body === null
      ? []
      : body.type === FORM
        ? [`request.set_form_data(${content})`]
        : [`request["Content-Type"] = "${body.type}"`, `request.body = JSON.generate(${content})`]),
    ...send,
    '',
  ].join('\n')
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FromEnvironment)

function withSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecrets)
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withSecrets(field)]))
  if (typeof value !== 'string') return value
  const secret = SECRETS.find(([pattern]) => pattern.test(value))
  if (secret !== undefined) return new FromEnvironment(secret[1])
  return /^pk_test_ExampleOnly/.test(value) ? PUBLISHABLE : value
}

function hasSecret(value: unknown): boolean {
  if (value instanceof FromEnvironment) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret)
}

/** How a language writes values. */
type Grammar = {
  readonly text: (value: string) => string
  readonly word: (value: null | boolean) => string
  readonly field: (name: string, value: string) => string
  readonly environment: (name: string) => string
  readonly indent: string
  /** The space between the bracket of an object and its first field. */
  readonly padding: string
}

const SCRIPT: Grammar = {
  text: (value) => (/['\\\n\u2028\u2029]/.test(value) ? JSON.stringify(value) : `'${value}'`),
  word: String,
  field: (name, value) => `${/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`}: ${value}`,
  environment: (name) => `process.env['${name}'] ?? ''`,
  indent: '  ',
  padding: ' ',
}

const PYTHON: Grammar = {
  text: (value) => JSON.stringify(value),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  field: (name, value) => `${JSON.stringify(name)}: ${value}`,
  environment: (name) => `os.environ["${name}"]`,
  indent: '    ',
  padding: '',
}

/** In Ruby `#` begins an interpolation inside double quotes. */
const rubyText = (value: string) => JSON.stringify(value).replaceAll('#', '\\#')

const RUBY: Grammar = {
  text: rubyText,
  word: (value) => (value === null ? 'nil' : String(value)),
  field: (name, value) => `${rubyText(name)} => ${value}`,
  environment: (name) => `ENV.fetch("${name}")`,
  indent: '  ',
  padding: ' ',
}

function written(value: unknown, grammar: Grammar, indent = ''): string {
  if (value instanceof FromEnvironment) return grammar.environment(value.name)
  if (typeof value === 'string') return grammar.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null || value === undefined) return grammar.word(value ?? null)
  const inner = indent + grammar.indent
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((item) => written(item, grammar, inner))
    : Object.entries(value).map(([name, field]) => grammar.field(name, written(field, grammar, inner)))
  const padding = Array.isArray(value) || parts.length === 0 ? '' : grammar.padding
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`
  if (short(line) && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
