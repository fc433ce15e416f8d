type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

type Operation = {
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
}

type Document = {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const SANDBOX = '/portal/api/apps/{app_id}/sandbox/'
/** This operation creates the person's own company. The portal has another button for it. */
const OWN_COMPANY = `${SANDBOX}company`

/** The names of moves in the order in which a record goes through them. Other moves come last in their group. */
const ORDER = [
  ...['create', 'open', 'closing', 'close', 'start', 'visit', 'pay', 'verify_identity', 'sign', 'confirm', 'execute'],
  ...['invite', 'reinvite', 'apply', 'sign_in', 'await_approval', 'approve', 'join', 'complete', 'change_amount'],
  ...['move', 'convert', 'cancel', 'reinstate', 'refund', 'hide', 'unhide'],
]

const rankOf = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

/** Writes the list of sandbox moves with their inputs, from the OpenAPI document. The portal shows a button for each move. */
export function sandboxMoves({ paths, components }: Document): string {
  const inputOf = (name: string, schema: Schema, isRequired: boolean) => ({
    name,
    ...kindOf(name, schema),
    isRequired,
    ...(schema.description === undefined ? {} : { hint: schema.description }),
  })
  const moves = Object.entries(paths).flatMap(([path, { post }]) => {
    if (post === undefined || !path.startsWith(SANDBOX) || path === OWN_COMPANY) return []
    const [group = '', ...rest] = path.slice(SANDBOX.length).split('/')
    const declared = post.requestBody?.content['application/json'].schema
    const body = declared?.$ref === undefined ? declared : components.schemas[declared.$ref.split('/').at(-1) ?? '']
    const inputs = Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      inputOf(name, schema, body?.required?.includes(name) ?? false),
    )
    const id = post.parameters?.find(({ name }) => name === 'id')
    const { summary, description } = post
    return [{ group, name: rest.at(-1) ?? 'create', path, summary, description, of: prefixOf(id?.schema), inputs }]
  })
  const sorted = moves.toSorted((a, b) => a.group.localeCompare(b.group) || rankOf(a.name) - rankOf(b.name))
  const lines = sorted.map((move) => `  ${JSON.stringify(move)},\n`).join('')
  return `// Generated from server/openapi.json by npm run generate. Do not edit.\n\nexport const MOVES = [\n${lines}] as const\n`
}

/** The kind of form field that the portal shows for an input. */
function kindOf(name: string, schema: Schema) {
  const prefix = prefixOf(schema)
  if (prefix !== null) return { kind: 'id', prefix }
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum }
  if (schema.type === 'integer') return { kind: name.endsWith('_cents') ? 'cents' : 'number' }
  return { kind: schema.type === 'object' ? 'json' : 'text' }
}

/** The prefix of an id, such as `inv` for the pattern `^inv_…$`. Null if the schema is not that of an id. */
const prefixOf = (schema: Schema | undefined) => /^\^([a-z]+)_\[/.exec(schema?.pattern ?? '')?.[1] ?? null
