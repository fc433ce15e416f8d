import { validationError } from '#kernel/errors.ts'
import { type IdKind, kindOfId } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { Edge, ServedRoute } from './edge.ts'
import type { Exchange } from './exchange.ts'
import type { OperatorWhy } from './ports.ts'
import type { Route } from './route.ts'

/**
 * The header with the reason of an operator's request, as UTF-8 with percent-encoding. It is a header because a GET needs a
 * reason too.
 */
export const REASON_HEADER = 'X-Portico-Reason'

const CHARS_MIN = 3
const CHARS_MAX = 500
const LINE = new RegExp(LINE_PATTERN, 'u')

type Described = Pick<Route, 'access' | 'method'>

/** Whether an operator must give a reason for the request. */
export function needsReason({ access, method }: Described): boolean {
  if (access.kind !== 'token' || access.about === undefined) return false
  return access.about === 'person' || (access.about === 'partner' && method !== 'GET')
}

/**
 * The reason that was sent, otherwise the reason of the key (`keyReason`). Null if there is no reason and the route requires
 * none.
 */
export function operatorReason(route: Described, sent: string | undefined, keyReason: string | null): string | null {
  if (sent === undefined || sent.trim() === '') {
    if (keyReason !== null || !needsReason(route)) return keyReason
    throw mistake({
      code: 'required',
      message: 'is required: say in a few words why you do this. The audit stores the reason',
    })
  }
  const reason = decoded(sent)?.trim()
  if (reason === undefined) throw mistake(NOT_A_LINE)
  const wrong = reasonMistake(reason)
  if (wrong !== null) throw mistake(wrong)
  return reason
}

type Mistake = { readonly code: string; readonly message: string }

const NOT_A_LINE: Mistake = {
  code: 'invalid_format',
  message: 'must be one line of text, percent-encoded (encodeURIComponent)',
}

/** What is wrong with the text of a reason. Null if the text is valid. */
export function reasonMistake(reason: string): Mistake | null {
  if (!LINE.test(reason)) return NOT_A_LINE
  const chars = [...reason].length
  if (chars < CHARS_MIN) return { code: 'too_short', message: `must have at least ${CHARS_MIN} characters` }
  return chars > CHARS_MAX ? { code: 'too_long', message: `must have at most ${CHARS_MAX} characters` } : null
}

function decoded(sent: string): string | undefined {
  try {
    return decodeURIComponent(sent)
  } catch {
    return undefined
  }
}

function mistake(wrong: Mistake) {
  return validationError([{ field: REASON_HEADER, ...wrong }])
}

export const whyOf = ({ reason, id }: Exchange): OperatorWhy => ({ reason, requestId: id })

/** Records that an operator read something about people. A route that changes something records the change instead. */
export async function recordOperatorRead(edge: Edge, { route }: ServedRoute, exchange: Exchange, read: Read) {
  const { caller } = exchange
  const { access, method, operation, path } = route
  if (access.kind !== 'token' || access.about !== 'person' || method !== 'GET' || caller?.kind !== 'operator') return
  const subject = String(Object.values(exchange.params).at(-1) ?? path)
  await edge.ports.operatorAudit?.recordRead({ ...whyOf(exchange), caller, operation, subject, shown: idsIn(read) })
}

type Read = { readonly query: unknown; readonly body: unknown }

/**
 * The ids of people in the query and the response, then the ids of the returned records. They are for the audit, which never
 * contains names and addresses. An entry stores a limited number of ids, so the ids of people come first: when a person is
 * erased, entries about them are found by these ids, even if the person is not the record itself but only mentioned in it.
 */
function idsIn({ query, body }: Read): readonly string[] {
  const data = fieldOf(body, 'data')
  const ids = (Array.isArray(data) ? data : [data]).map((record) => fieldOf(record, 'id'))
  return [...new Set([...peopleIn(query), ...peopleIn(body), ...ids.filter((id) => typeof id === 'string')])]
}

/** The ids of people in the value, at any depth; the same id may occur several times. */
export function peopleIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return PEOPLE.has(kindOfId(value)) ? [value] : []
  return isPlain(value) ? Object.values(value).flatMap(peopleIn) : []
}

const PEOPLE: ReadonlySet<IdKind | null> = new Set<IdKind>(['user', 'account'])

/** Whether the value is a list or a plain object, and not a buffer or a stream. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
