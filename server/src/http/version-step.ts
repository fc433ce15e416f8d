import type { RawQuery } from './input/read-query.ts'
import type { Version } from './versions.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * One difference between two versions' shapes, by name. Handlers only know the newest form: a step turns the newest
 * answer into the form callers saw `before` that version, and their request into the newest form. A request has not
 * been validated yet when a step sees it: only that it is an object is sure, and a step passes on what it does not know.
 */
export type VersionStep = {
  readonly name: string
  readonly before: Version
  readonly operations: readonly string[] | 'all'
  readonly response?: (body: unknown, status: number) => unknown
  readonly request?: (body: Fields) => Fields
  readonly query?: (query: RawQuery) => RawQuery
}
