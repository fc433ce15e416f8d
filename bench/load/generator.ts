import { HttpConnection, prepare, type RequestToPrepare } from './http-connection.ts'

/** One run of load: this many connections, each with one request in flight, for this long. */
export type Load = {
  /**
   * The connections take these requests in turn, repeatedly. If there are as many requests as connections, each connection
   * always sends the same one.
   */
  readonly requests: readonly RequestToPrepare[]
  readonly connections: number
  readonly ms: number
  /** Text that a correct response contains. A response without it, or with another status than 200, ends the run. */
  readonly expected: string
}

export type LoadResult = { readonly answers: number; readonly ms: number; readonly latenciesMs: readonly number[] }

/** The load generator: a process of its own that gets commands as messages, so that its processor time is counted separately. */
process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  )
})

async function run({ requests, connections, ms, expected }: Load): Promise<LoadResult> {
  const prepared = requests.map(prepare)
  const [first] = prepared
  if (first === undefined) throw new Error('there is nothing to send')
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(first)))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const keepSending = async (connection: HttpConnection, place: number) => {
    let turn = place
    for (let sentAt = performance.now(); sentAt - startedAt < ms; turn += connections) {
      const { status, body } = await connection.send(prepared[turn % prepared.length] ?? first)
      if (status !== 200 || !body.includes(expected)) throw new Error(`answered ${status}: ${body}`)
      const answeredAt = performance.now()
      latenciesMs.push(answeredAt - sentAt)
      sentAt = answeredAt
    }
  }
  try {
    await Promise.all(open.map(keepSending))
    return { answers: latenciesMs.length, ms: performance.now() - startedAt, latenciesMs }
  } finally {
    for (const connection of open) connection.close()
  }
}
