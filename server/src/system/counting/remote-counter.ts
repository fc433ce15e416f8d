import type { Count, Hit, LocalCounter, Refused, WindowCounter } from './local-counter.ts'

/*
 * The processes that answer requests on one node share their counts: only their primary process counts, and every
 * other process sends messages to it. A message is plain data, because processes exchange messages as JSON.
 */

/** A message to the primary process, which counts. */
export type CountRequest =
  | { readonly type: 'count'; readonly batch: number; readonly requests: readonly (readonly Hit[])[] }
  | { readonly type: 'give_back'; readonly hits: readonly Hit[]; readonly turn: number }
  | { readonly type: 'get_used'; readonly requestId: number; readonly hits: readonly Hit[] }

/** A message to the process that sent the request. */
export type CountReply =
  | { readonly type: 'counted'; readonly batch: number; readonly results: readonly CountResult[] }
  | { readonly type: 'used'; readonly requestId: number; readonly used: readonly number[] }

/** `turn` shows which windows contain the count, in case the count is taken back later. */
type CountResult = { readonly turn: number; readonly refused: Refused | null }

/** What the primary process does with a message. Returns the reply, or null for a message without a reply. */
export function countFor(counter: LocalCounter, request: CountRequest): CountReply | null {
  switch (request.type) {
    case 'count': {
      const results = request.requests.map((hits) => {
        const { turn, refused } = counter.count(hits)
        return { turn, refused }
      })
      return { type: 'counted', batch: request.batch, results }
    }
    case 'give_back':
      counter.giveBack(request.hits, request.turn)
      return null
    case 'get_used':
      return { type: 'used', requestId: request.requestId, used: counter.used(request.hits) }
  }
}

export type RemoteCounter = WindowCounter & { receive(reply: CountReply): void }

/**
 * Counts in another process. All requests of one turn of the event loop share a message, because a message costs more than a
 * count. No time limit is needed: if the primary process dies, this process ends too.
 */
export function remoteCounter(send: (request: CountRequest) => void): RemoteCounter {
  const batches = new Map<number, Batch>()
  const usedRequests = new Map<number, (used: readonly number[]) => void>()
  let lastNumber = 0
  let current: Batch | null = null

  function begin(): Batch {
    const batch = new Batch()
    const number = ++lastNumber
    batches.set(number, batch)
    setImmediate(() => {
      current = null
      send({ type: 'count', batch: number, requests: batch.requests })
    })
    return batch
  }

  return {
    count(hits) {
      current ??= begin()
      return new RemoteCount(current, hits, send)
    },
    used(hits) {
      const requestId = ++lastNumber
      return new Promise((resolve) => {
        usedRequests.set(requestId, resolve)
        send({ type: 'get_used', requestId, hits })
      })
    },
    receive(reply) {
      switch (reply.type) {
        case 'counted':
          batches.get(reply.batch)?.settle(reply.results)
          batches.delete(reply.batch)
          return
        case 'used':
          usedRequests.get(reply.requestId)?.(reply.used)
          usedRequests.delete(reply.requestId)
      }
    },
  }
}

/** The requests that share a message. */
class Batch {
  readonly requests: (readonly Hit[])[] = []
  readonly answered: Promise<void>
  #results: readonly CountResult[] = []
  readonly #resolve: () => void

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.answered = promise
    this.#resolve = resolve
  }

  settle(results: readonly CountResult[]): void {
    this.#results = results
    this.#resolve()
  }

  resultAt(place: number): CountResult {
    const result = this.#results[place]
    if (result === undefined) throw new Error('the result was read before the primary process replied')
    return result
  }
}

class RemoteCount implements Count {
  readonly answered: Promise<void>
  readonly #batch: Batch
  readonly #place: number
  readonly #hits: readonly Hit[]
  readonly #send: (request: CountRequest) => void
  #isGivenBack = false

  constructor(batch: Batch, hits: readonly Hit[], send: (request: CountRequest) => void) {
    this.answered = batch.answered
    this.#batch = batch
    this.#place = batch.requests.push(hits) - 1
    this.#hits = hits
    this.#send = send
  }

  get refused(): Refused | null {
    return this.#batch.resultAt(this.#place).refused
  }

  giveBack(): void {
    if (this.refused !== null || this.#isGivenBack) return
    this.#isGivenBack = true
    this.#send({ type: 'give_back', hits: this.#hits, turn: this.#batch.resultAt(this.#place).turn })
  }
}
