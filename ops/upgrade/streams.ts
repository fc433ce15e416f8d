import { setTimeout as wait } from 'node:timers/promises'
import { eventsOf, type OpenStream, openStream } from '../../server/test/support/event-source.ts'
import { deliveryKey } from '../support/receiver.ts'
import type { Stage } from '../support/stage.ts'

/** Readers of the event stream, each of which continues after its last id when its stream ends. */
export type StreamReaders = {
  /** Streams that ended without the event `server_closing`, and requests that opened no stream. */
  readonly faults: readonly string[]
  readonly ended: number
  /** Waits up to two minutes until each reader has these deliveries, ends the readers, and returns the missing deliveries. */
  lacking(wanted: readonly string[]): Promise<readonly string[]>
}

const POLL_MS = 50
const LOOKS_PER_NOTE = 20
const PATIENCE_MS = 120_000

export async function readStreams(stage: Stage, readers: number): Promise<StreamReaders> {
  const url = `${stage.baseUrl}/events/stream?types=investment.*`
  const isOver = { now: false }
  const faults: string[] = []
  // The deliveries that each reader has, by event and installation.
  const read = Array.from({ length: readers }, () => new Set<string>())
  let ended = 0

  /** Null if the request failed or was rejected, which is a fault. */
  async function open(lastId: string): Promise<OpenStream | null> {
    const headers = {
      authorization: `Bearer ${stage.teamToken}`,
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    }
    const stream = await openStream(url, { headers }).catch((error: unknown) => String(error))
    if (typeof stream !== 'string' && stream.status === 200) return stream
    const problem = typeof stream === 'string' ? stream : `${stream.status} ${stream.text()}`
    faults.push(`a stream could not be opened: ${problem}`)
    return null
  }

  /** Reads until the stream ends. Resolves to its last id. */
  async function readToEnd(stream: OpenStream, events: Set<string>): Promise<string> {
    const note = () => {
      for (const { id, attributes } of eventsOf(stream)) events.add(deliveryKey(id, attributes.installation_id))
    }
    for (let look = 1; !stream.isOver() && !isOver.now; look++) {
      await wait(POLL_MS)
      if (look % LOOKS_PER_NOTE === 0) note()
    }
    note()
    if (stream.isOver()) ended += 1
    if (stream.isOver() && !stream.text().includes('server_closing'))
      faults.push('a stream ended without the event server_closing')
    stream.close()
    return stream.lastId()
  }

  async function follow(events: Set<string>): Promise<void> {
    for (let lastId = ''; !isOver.now; ) {
      const stream = await open(lastId)
      if (stream === null) await wait(POLL_MS)
      else lastId = (await readToEnd(stream, events)) || lastId
    }
  }

  const following = Promise.all(read.map(follow))
  return {
    faults,
    get ended() {
      return ended
    },
    lacking: async (wanted) => {
      const missing = () =>
        read.flatMap((has, at) => wanted.filter((key) => !has.has(key)).map((key) => `stream ${at + 1} lacks ${key}`))
      const deadline = performance.now() + PATIENCE_MS
      while (missing().length > 0 && performance.now() < deadline) await wait(POLL_MS * LOOKS_PER_NOTE)
      isOver.now = true
      await following
      return missing()
    },
  }
}
