import { HttpConnection, preparePost, type RequestToPrepare } from './http-connection.ts'

/** One run of load: so many connections, each with one request under way, for so long. */
export type Load = {
  /** The connections take them in turn, each always sends the same. */
  readonly requests: readonly RequestToPrepare[]
  readonly connections: number
  readonly ms: number
  /** What a good answer contains; any other ends the run. */
  readonly expected: string
}

export type LoadResult = { readonly answers: number; readonly ms: number; readonly latenciesMs: readonly number[] }

/** A process of its own, told by messages what to do, so that its work is on nobody else's account. */
process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  )
})

async function run({ requests, connections, ms, expected }: Load): Promise<LoadResult> {
  const prepared = requests.map(preparePost)
  const sent = Array.from({ length: connections }, (_, at) => prepared[at % prepared.length])
  const open = await Promise.all(sent.flatMap((each) => (each === undefined ? [] : HttpConnection.open(each))))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const keepSending = async (connection: HttpConnection) => {
    for (let sentAt = performance.now(); sentAt - startedAt < ms; ) {
      const { status, body } = await connection.send()
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
