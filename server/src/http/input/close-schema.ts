type Keywords = Readonly<Record<string, unknown>>

const MAPS_OF_SCHEMAS = ['properties', 'patternProperties']
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'prefixItems']
const SINGLE_SCHEMAS = ['items', 'additionalProperties']

/**
 * The same schema with every object closed that does not itself say what else it takes, so that a misspelt field is
 * refused instead of ignored. Members of an intersection stay open and the whole is closed, or each would refuse the
 * others' fields.
 */
export function closeSchema(schema: object): object {
  return close(schema as Keywords, true)
}

function close(schema: Keywords, closing: boolean): Keywords {
  const out: Record<string, unknown> = { ...schema }
  for (const key of MAPS_OF_SCHEMAS) {
    if (isKeywords(out[key]))
      out[key] = Object.fromEntries(Object.entries(out[key]).map(([name, at]) => [name, inner(at)]))
  }
  for (const key of LISTS_OF_SCHEMAS) if (Array.isArray(out[key])) out[key] = out[key].map(inner)
  for (const key of SINGLE_SCHEMAS) out[key] = inner(out[key])
  if (Array.isArray(out['items'])) out['items'] = out['items'].map(inner)
  if (Array.isArray(out['allOf'])) {
    out['allOf'] = out['allOf'].map((member) => (isKeywords(member) ? close(member, false) : member))
    if (closing) out['unevaluatedProperties'] ??= false
  } else if (closing && isKeywords(out['properties']) && out['patternProperties'] === undefined) {
    out['additionalProperties'] ??= false
  }
  // Absent and undefined are not the same to a validator.
  return Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined))
}

function inner(schema: unknown): unknown {
  return isKeywords(schema) ? close(schema, true) : schema
}

function isKeywords(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
