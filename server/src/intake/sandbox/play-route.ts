import { type Static, type TSchema, Type } from 'typebox'
import { recordAuditIn, withPeople } from '#access/audit/index.ts'
import {
  EVENT_CATALOGUE,
  findEvents,
  type Occasion,
  type RecordedEvent,
  type StoredEvent,
  wholeData,
} from '#events/index.ts'
import { inSandbox, type OperatorSubject, operatorOr } from '#http/access.ts'
import { peopleIn } from '#http/operator-reason.ts'
import { type OperationWords, type ResponseOf, type Route, route } from '#http/route.ts'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { Time } from './records.ts'

/** A sandbox operation. A request to its path runs a use case. */
type Playable<B extends TSchema, R extends TSchema> = {
  readonly operation: string
  /** The path below /sandbox. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The kind of the id in the path; a malformed id gets the same response as an unknown one. */
  readonly of?: IdKind
  /** The field is undefined if the operation takes no body. */
  readonly body?: B
  readonly record: R
  readonly access: ReturnType<typeof inSandbox>
  /** 201 for an operation that creates a record. */
  readonly status: 200 | 201
  /** Runs the use case and then returns the record. */
  readonly play: (tx: Tx, input: Input<B>, occasion: Occasion) => Promise<Static<R>>
}

type Input<B extends TSchema> = {
  /** The id in the path; empty if the path has no id. */
  readonly id: string
  readonly body: Static<B>
  /** A credential of the test world, or a signed-in person on an app's team. */
  readonly caller: Caller | AccountCaller
}

export function playRoute<B extends TSchema, R extends TSchema>(playable: Playable<B, R>): Route {
  const { operation, path, summary, description, of, body, record, access, status, play } = playable
  const response = { [status]: played(record) }
  return route({
    operation,
    method: 'POST',
    path: `/sandbox${path}`,
    summary,
    description,
    tag: 'Sandbox',
    access,
    schema: {
      ...(of === undefined ? {} : { params: Type.Object({ id: Type.String({ pattern: idPattern(of) }) }) }),
      ...(body === undefined ? {} : { body }),
      response,
    },
    transaction: async (request) => {
      const input = { id: request.params?.id ?? '', body: request.body as Static<B>, caller: request.caller }
      const shown = await runUseCase(request, (tx, occasion) => play(tx, input, occasion))
      await auditMove(request.tx, operation, { ...input, shown: shown.data })
      // `play` returns the record's type, but the compiler cannot infer the type of the envelope from it.
      return { status, body: shown } as unknown as ResponseOf<typeof response>
    },
  })
}

type Move = {
  readonly caller: Caller | AccountCaller
  /** The id in the path; empty if the path has no id. */
  readonly id: string
  readonly body: unknown
  readonly shown: unknown
}

/**
 * Audits an operator's move in the transaction of the change. A move by an app's credential, or by a person on an app's team, is the
 * partner's own test and is not audited.
 */
async function auditMove(tx: Tx, operation: string, { caller, id, body, shown }: Move): Promise<void> {
  if (caller.kind !== 'operator') return
  const shownId: unknown = typeof shown === 'object' && shown !== null ? Reflect.get(shown, 'id') : undefined
  const record = typeof shownId === 'string' ? shownId : id
  const subject = id === '' ? record : id
  const details = { mode: tx.world, operation, ...(record === subject ? {} : { record }) }
  const entry = { actor: caller.actor, action: 'sandbox.played', subject, details }
  await recordAuditIn(tx, withPeople(entry, peopleIn([id, body, shown])))
}

type Request = { readonly tx: Tx; readonly requestId: string }

/** Runs the use case at the test world's current time, with the request as the cause, and reads back its events. */
async function runUseCase<T>({ tx, requestId }: Request, play: (tx: Tx, occasion: Occasion) => Promise<T>) {
  const occasion: Occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  const data = await play(tx, occasion)
  return { data, meta: await causedEvents(tx, occasion) }
}

/** A use case for the record in the path; the body is merged into its input. */
type UseCase<K extends IdKind, Body> = (
  tx: Tx,
  input: { readonly id: Id<K> } & Body,
  occasion: Occasion,
) => Promise<unknown>

type Step<K extends IdKind> = OperationWords & {
  readonly body: TSchema | undefined
  readonly useCase: UseCase<K, object>
}

export function step<K extends IdKind>(words: OperationWords, useCase: UseCase<K, unknown>): Step<K> {
  return { ...words, body: undefined, useCase }
}

export function stepWith<K extends IdKind, B extends TSchema>(
  words: OperationWords,
  body: B,
  useCase: UseCase<K, Static<B>>,
): Step<K> {
  // The HTTP layer has validated the body against this schema before the use case runs.
  return { ...words, body, useCase: useCase as UseCase<K, object> }
}

type Noun<K extends IdKind, R extends TSchema> = {
  readonly of: K
  /** The noun in paths, for example `join_sessions`. */
  readonly plural: string
  readonly access: Playable<TSchema, R>['access']
  readonly record: R
  readonly show: (tx: Tx, id: Id<K>) => Promise<Static<R>>
}

/** One route per move of a record: runs the move, then returns the record. */
export function moves<K extends IdKind, R extends TSchema>(
  { of, plural, access, record, show }: Noun<K, R>,
  table: { readonly [move: string]: Step<K> },
): Route[] {
  return Object.entries(table).map(([name, { summary, description, body, useCase }]) =>
    playRoute({
      operation: operationOf(of, name),
      path: `/${plural}/:id/${name}`,
      summary,
      description,
      of,
      ...(body === undefined ? {} : { body }),
      record,
      access,
      status: 200,
      play: async (tx, input, occasion) => {
        const id = input.id as Id<K>
        await useCase(tx, { id, ...(input.body as object | undefined) }, occasion)
        return show(tx, id)
      },
    }),
  )
}

/** The name of the operation, for example `sandboxInvestmentChangeAmount`. */
export function operationOf(noun: IdKind, move: string): string {
  return `sandbox${[noun, ...move.split('_')].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

const CausedEvent = Type.Object(
  {
    id: Type.String(),
    event: Type.String({ description: 'The name of the event.' }),
    occurred_at: Time,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The data of the event, as a webhook with every scope would contain it.',
    }),
  },
  { title: 'CausedEvent', additionalProperties: false },
)

/**
 * Canceling an offering cancels its active and reserved investments, which may be many. The response contains at most this many
 * events, and counts all events that the caller may see.
 */
export const EVENTS_SHOWN_MAX = 1_000

const Meta = Type.Object(
  {
    events: Type.Array(CausedEvent, {
      description: `The events that the request caused, in order; at most the first ${EVENTS_SHOWN_MAX}. Events for the owner of a referral code are left out.`,
    }),
    event_count: Type.Integer({
      minimum: 0,
      description: `The number of these events, including those after the first ${EVENTS_SHOWN_MAX}.`,
    }),
  },
  { title: 'SandboxMeta', additionalProperties: false },
)

/** The schema of every sandbox response: the record, and the events that the operation caused. */
export function played<R extends TSchema>(record: R) {
  return Type.Object({ data: record, meta: Meta }, { additionalProperties: false })
}

/** Reads the recorded events in the same transaction. */
export async function causedEvents(tx: Tx, { caused }: Occasion): Promise<Static<typeof Meta>> {
  const visible = caused.filter(isShown)
  const shown = visible.slice(0, EVENTS_SHOWN_MAX).map(({ id }) => id)
  const events = shown.length === 0 ? [] : await findEvents(tx, shown)
  return { events: events.map(showEvent), event_count: visible.length }
}

/**
 * Events for the owner of a referral code are sent "only through an installation …; otherwise never, in any form". A caller
 * that invests with another app's code must not see the `investment_token` and `investor_token` that this other app gets.
 */
function isShown({ name }: RecordedEvent): boolean {
  return EVENT_CATALOGUE[name].audience.every(({ through }) => through !== 'code_owner')
}

function showEvent(event: StoredEvent): Static<typeof CausedEvent> {
  return { id: event.id, event: event.name, occurred_at: event.occurred_at, data: wholeData(event) }
}

const TOKENS = ['client', 'user', 'installation'] as const

/**
 * Access to the sandbox: the operator's test key and every test token of an app. A token needs no scope, because the
 * specification has no scope for the sandbox and test records have no owner. A publishable key is public and gets no access. In
 * the live world the host platform reports such changes through the fact feed.
 */
export const SANDBOX_ACCESS = inSandbox(operatorOr('support', TOKENS))

/** Access to moves, by what a move is about: an operator must send a reason for a move about a person. */
const moveAbout = (about: OperatorSubject) => inSandbox({ ...operatorOr('support', TOKENS), about })
export const MOVE_ACCESS = { person: moveAbout('person'), platform: moveAbout('platform') } as const

/** Settings that the moves depend on. Facts depend on the same settings. */
export type SandboxSettings = {
  readonly reinstatementGraceDays: number
  readonly referrals: ReferralSettings
  /** Erases a user from all records, like the platform's own fact. */
  readonly forgetUser: (tx: Tx, id: Id<'user'>, occasion: Occasion) => Promise<void>
}

/** A session made with an installation token belongs to that installation, so the app gets the events of the session. */
export function installationOf(caller: Caller | AccountCaller): { readonly installationId?: Id<'installation'> } {
  return caller.kind === 'installation' ? { installationId: caller.installationId } : {}
}
