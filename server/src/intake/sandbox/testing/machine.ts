import { describe, expect, test } from 'vitest'
import { allowedMoves, type StateMachine } from '#kernel/state-machine.ts'
import type { Sandbox } from './sandbox.ts'

type Request = { readonly path: string; readonly body?: unknown }

type Player<S extends string, M extends string> = {
  readonly sandbox: () => Sandbox
  readonly machine: StateMachine<S, M, string, string>
  /** Creates a record in this state, through the sandbox itself, and returns its id. */
  readonly reach: { readonly [State in S]?: (() => Promise<string>) | undefined }
  /** The request for each move. */
  readonly ask: { readonly [Move in M]?: (id: string) => Request | Promise<Request> }
  /** Reads the complete record, so that a test can check that a rejection changed nothing. */
  readonly read: (id: string) => Promise<unknown>
  /** The prefix of the machine's own events. */
  readonly events: string
}

/**
 * Runs every move from every state over HTTP. A legal move returns its end state and exactly its events. An illegal one gets
 * 409 with state, event and allowed moves, and changes nothing.
 */
export function describeMachine<S extends string, M extends string>(player: Player<S, M>): void {
  const { machine, reach, ask } = player
  describe.each(Object.keys(reach) as S[])(`the ${machine.noun}, when %s`, (from) => {
    test.each(Object.keys(ask) as M[])('%s', async (move) => {
      const id = await reach[from]?.()
      const request = id === undefined ? undefined : await ask[move]?.(id)
      if (id === undefined || request === undefined) throw new Error(`no request is defined for ${move} when ${from}`)
      const row = machine.table[from][move]
      if (row === undefined) await expectRefusal(player, { id, from, move, request })
      else await expectOutcome(player, [row].flat(), request)
    })
  })
}

type Outcome = { readonly to: string; readonly events: readonly string[] }

async function expectOutcome(
  { sandbox, events }: { sandbox: () => Sandbox; events: string },
  outcomes: readonly Outcome[],
  { path, body }: Request,
): Promise<void> {
  const { status, data, names } = await sandbox().play(path, body)
  const own = names.filter((name) => name.startsWith(events))
  expect([200, 201]).toContain(status)
  expect(outcomes.map(({ to, events: listed }) => [to, listed])).toContainEqual([statusOf(data), own])
}

async function expectRefusal<S extends string, M extends string>(
  { sandbox, machine, read }: Player<S, M>,
  { id, from, move, request }: { id: string; from: S; move: M; request: Request },
): Promise<void> {
  const before = await snapshotOf(sandbox(), () => read(id))
  const error = await sandbox().refused(request.path, request.body)
  const allowed = allowedMoves(machine, from).filter((other) => other !== move)
  expect(error).toMatchObject({ status: 409, type: 'illegal_transition', details: { from, event: move, allowed } })
  expect(await snapshotOf(sandbox(), () => read(id))).toEqual(before)
}

async function snapshotOf({ db }: Sandbox, read: () => Promise<unknown>): Promise<unknown> {
  const [events] = await db.sql<{ count: string }>('select count(*) from test.events')
  return { record: await read(), events: events?.count }
}

/** The status is in `attributes`, except in an investment, which has no attributes. */
function statusOf(data: Readonly<Record<string, unknown>>): unknown {
  const { attributes = data } = data as { attributes?: Readonly<Record<string, unknown>> }
  return (attributes as { status?: unknown }).status
}
