import type { ServerResponse } from 'node:http'
import type { SentHeaders } from './exchange.ts'
import type { StreamedText, Write } from './streamed-text.ts'

/** For one piece. Less than PostgreSQL waits for a transaction in which nothing happens (20 s): it would end it in mid-sentence. */
const PIECE_TAKEN_WITHIN_MS = 10_000

/** The client hung up, or takes too long. Not an error of ours, and nobody is left to receive an answer. */
class ClientGone extends Error {}

type Streamed = { readonly status: number; readonly headers: SentHeaders; readonly body: StreamedText }

/** What is thrown before the first piece is the caller's to answer; after it, all that can be said is to hang up. */
export async function sendStreamed(response: ServerResponse, { status, headers, body }: Streamed): Promise<void> {
  let deadline = Number.POSITIVE_INFINITY
  const write: Write = async (text) => {
    if (response.destroyed || performance.now() > deadline) throw new ClientGone()
    if (!response.headersSent) {
      response.writeHead(status, headers)
      deadline = performance.now() + body.takenWithinMs
    }
    if (!response.write(text)) await roomIn(response, deadline - performance.now())
  }
  try {
    await body.produce(write)
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error
    response.destroy()
    return
  }
  if (!response.headersSent) response.writeHead(status, headers)
  response.end()
}

function roomIn(response: ServerResponse, leftMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const gone = () => reject(new ClientGone())
  const waiting = setTimeout(gone, Math.min(PIECE_TAKEN_WITHIN_MS, leftMs))
  response.once('drain', resolve)
  response.once('close', gone)
  return promise.finally(() => {
    clearTimeout(waiting)
    response.off('drain', resolve)
    response.off('close', gone)
  })
}
