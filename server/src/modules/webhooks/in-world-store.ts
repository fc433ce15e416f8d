import { inEach, type World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import {
  type PlatformStatement,
  platformStatement,
  type SqlValue,
  statement,
  type WorldStatement,
} from '#system/postgres/statement.ts'

/**
 * What belongs to a world is reached on the world's own connection, where names are bare, and on the platform's, which
 * names the schema. What happens in both is one text but for that, and who runs it need not know which it is.
 */
export type Schema = '' | `${World}.`

export type WorldText<Row> = {
  readonly own: WorldStatement<Row>
  readonly named: Readonly<Record<World, PlatformStatement<Row>>>
}

export function worldText<Row = never>(name: string, text: (schema: Schema) => string): WorldText<Row> {
  return {
    own: statement<Row>(name, text('')),
    named: inEach((world) => platformStatement<Row>(`${name}_${world}`, text(`${world}.`))),
  }
}

type Values = readonly SqlValue[]

/** A transaction in one world, whichever way it was reached. */
export type InWorld = {
  many<Row>(text: WorldText<Row>, values: Values): Promise<Row[]>
  run(text: WorldText<never>, values: Values): Promise<number>
}

export const ownWorld = (tx: Tx): InWorld => ({
  many: ({ own }, values) => tx.many(own, values),
  run: ({ own }, values) => tx.run(own, values),
})

export const fromPlatform = (tx: PlatformTx, world: World): InWorld => ({
  many: ({ named }, values) => tx.many(named[world], values),
  run: ({ named }, values) => tx.run(named[world], values),
})
