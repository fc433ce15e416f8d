import type { Static, TSchema } from 'typebox'
import type { OperationWords, Route } from '#http/route.ts'
import type { Id, IdKind } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { playRoute } from './play-route.ts'

/** A use case for what the path names, with what the body says beside it. */
type UseCase<K extends IdKind, Said> = (
  tx: Tx,
  input: { readonly id: Id<K> } & Said,
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
  // The edge has checked the body against this schema by the time the use case sees it.
  return { ...words, body, useCase: useCase as UseCase<K, object> }
}

type Noun<K extends IdKind, R extends TSchema> = {
  readonly of: K
  /** `join_sessions` */
  readonly plural: string
  readonly record: R
  readonly show: (tx: Tx, id: Id<K>) => Promise<Static<R>>
}

/** A route for each move of a noun: performs it, then shows the record as it is now. */
export function moves<K extends IdKind, R extends TSchema>(
  { of, plural, record, show }: Noun<K, R>,
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
      status: 200,
      play: async (tx, input, occasion) => {
        const id = input.id as Id<K>
        await useCase(tx, { id, ...(input.body as object | undefined) }, occasion)
        return show(tx, id)
      },
    }),
  )
}

/** `sandboxInvestmentChangeAmount` */
export function operationOf(noun: IdKind, move: string): string {
  return `sandbox${[noun, ...move.split('_')].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}
