import type { Route } from '#http/route.ts'
import type { Line, Place } from './line.ts'

/** Matches the pattern of an id, even if the parameter also accepts another form of the id. */
const ID_PATTERN = /^\^([a-z]+_)\[0-9A-Za-z\]\{24\}\$(\||$)/

/**
 * Returns the route's path with the ids that the line names, and the line's query. Every other parameter gets
 * an unknown id, the first value of its enum, or the word `unknown`.
 */
export function addressOf({ path, schema }: Route, line: Line, places: Readonly<Record<Place, string>>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const place = line.at?.[name]
    return place === undefined ? unknownId(propertyOf(schema.params, name)) : places[place]
  })
  return line.query === undefined ? filled : `${filled}?${line.query}`
}

type Property = { readonly pattern?: string; readonly enum?: readonly string[] }

function propertyOf(params: object | undefined, name: string): Property {
  const { properties = {} } = (params ?? {}) as { properties?: Readonly<Record<string, Property>> }
  return properties[name] ?? {}
}

function unknownId({ pattern = '', enum: choices }: Property): string {
  const prefix = ID_PATTERN.exec(pattern)?.[1]
  return prefix === undefined ? (choices?.[0] ?? 'unknown') : `${prefix}${'0'.repeat(24)}`
}
