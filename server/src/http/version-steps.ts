import { VERSIONS, type Version } from './versions.ts'

type Fields = Readonly<Record<string, unknown>>

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
}

/** Every difference in shape there is, newest first. */
export const VERSION_STEPS: readonly VersionStep[] = []

export type OperationSteps = {
  /** From the newest form to the version's. The very same value when the version differs in nothing. */
  response(version: Version, body: unknown, status: number): unknown
  /** Whether any step would touch an answer, so that nobody parses one for nothing. */
  changesResponse(version: Version): boolean
  /** From the version's form to the newest. */
  request(version: Version, body: unknown): unknown
}

/** The steps of one operation: answers go from the newest change back, requests from the oldest change forward. */
export function stepsOf(operation: string, steps: readonly VersionStep[]): OperationSteps {
  const mine = steps
    .filter(({ operations }) => operations === 'all' || operations.includes(operation))
    // The sort is stable: steps of one version keep the list's order for answers, and its reverse for requests.
    .toSorted((a, b) => VERSIONS.indexOf(b.before) - VERSIONS.indexOf(a.before))
  const newestFirst = (version: Version) => mine.filter(({ before }) => version < before)
  return {
    response: (version, body, status) =>
      newestFirst(version).reduce(
        (form, { response }) => (response === undefined ? form : response(form, status)),
        body,
      ),
    changesResponse: (version) => newestFirst(version).some(({ response }) => response !== undefined),
    request: (version, body) =>
      isFields(body)
        ? newestFirst(version).reduceRight((form, { request }) => (request === undefined ? form : request(form)), body)
        : body,
  }
}

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
