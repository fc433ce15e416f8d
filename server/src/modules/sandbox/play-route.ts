import { type Static, type TSchema, Type } from 'typebox'
import { type AnswerOf, type Route, route } from '#http/route.ts'
import type { Caller } from '#kernel/caller.ts'
import { type IdKind, idPattern } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedEvents, played } from './answer.ts'
import { SANDBOX_ACCESS } from './sandbox-access.ts'
import { worldNow } from './store.ts'

/** One thing that can be made to happen: a use case behind a path. */
type Playable<B extends TSchema, R extends TSchema> = {
  readonly operation: string
  /** Below /sandbox. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** What `:id` in the path is the id of; an id of another form answers like an unknown one. */
  readonly of?: IdKind
  /** Left out where the path says everything. */
  readonly body?: B
  readonly record: R
  /** 201 where something is made that was not there. */
  readonly status: 200 | 201
  /** Performs it and answers with the record as it is then. */
  readonly play: (tx: Tx, input: Input<B>, occasion: Occasion) => Promise<Static<R>>
}

type Input<B extends TSchema> = {
  /** Empty where the path has none. */
  readonly id: string
  readonly body: Static<B>
  readonly caller: Caller
}

export function playRoute<B extends TSchema, R extends TSchema>(playable: Playable<B, R>): Route {
  const { operation, path, summary, description, of, body, record, status, play } = playable
  const response = { [status]: played(record) }
  return route({
    operation,
    method: 'POST',
    path: `/sandbox${path}`,
    summary,
    description,
    tag: 'Sandbox',
    access: SANDBOX_ACCESS,
    schema: {
      ...(of === undefined ? {} : { params: Type.Object({ id: Type.String({ pattern: idPattern(of) }) }) }),
      ...(body === undefined ? {} : { body }),
      response,
    },
    transaction: async (request) => {
      const input = { id: request.params?.id ?? '', body: request.body as Static<B>, caller: request.caller }
      const shown = await perform(request, (tx, occasion) => play(tx, input, occasion))
      // `play` answers with the record's type; the compiler cannot follow that through the envelope's schema.
      return { status, body: shown } as unknown as AnswerOf<typeof response>
    },
  })
}

type Request = { readonly tx: Tx; readonly requestId: string }

/** It happens now, in the test world's time, because of this request. */
async function perform<T>({ tx, requestId }: Request, play: (tx: Tx, occasion: Occasion) => Promise<T>) {
  const occasion: Occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  const data = await play(tx, occasion)
  return { data, meta: await causedEvents(tx, occasion) }
}
