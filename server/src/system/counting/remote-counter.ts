import type { Count, Hit, LocalCounter, Refused, WindowCounter } from './local-counter.ts'

/*
 * The processes of one service that answer requests have one count together: their primary process counts, and they send it
 * messages. A message is plain data, because it crosses processes as JSON.
 */

/** To the process that counts. */
export type CountRequest =
  | { readonly say: 'count'; readonly batch: number; readonly requests: readonly (readonly Hit[])[] }
  | { readonly say: 'give_back'; readonly hits: readonly Hit[]; readonly turn: number }
  | { readonly say: 'used'; readonly question: number; readonly hits: readonly Hit[] }

/** To the process that asked. */
export type CountReply =
  | { readonly say: 'counted'; readonly batch: number; readonly verdicts: readonly Verdict[] }
  | { readonly say: 'used'; readonly question: number; readonly used: readonly number[] }

/** `turn` identifies the count if it is taken back later. */
type Verdict = { readonly turn: number; readonly refused: Refused | null }

/** What the primary process does with a message. Null if there is nothing to reply. */
export function countFor(counter: LocalCounter, request: CountRequest): CountReply | null {
  switch (request.say) {
    case 'count': {
      const verdicts = request.requests.map((hits) => {
        const { turn, refused } = counter.count(hits)
        return { turn, refused }
      })
      return { say: 'counted', batch: request.batch, verdicts }
    }
    case 'give_back':
      counter.giveBack(request.hits, request.turn)
      return null
    case 'used':
      return { say: 'used', question: request.question, used: counter.used(request.hits) }
  }
}

export type RemoteCounter = WindowCounter & { hear(reply: CountReply): void }

/**
 * Counts in another process. All requests of one turn of the event loop share a message, because a message costs more than a
 * count. No time limit is needed: if the primary process dies, this process ends too.
 */
export function remoteCounter(send: (request: CountRequest) => void): RemoteCounter {
  const batches = new Map<number, Batch>()
  const questions = new Map<number, (used: readonly number[]) => void>()
  let numbers = 0
  let leaving: Batch | null = null

  function begin(): Batch {
    const batch = new Batch()
    const number = ++numbers
    batches.set(number, batch)
    setImmediate(() => {
      leaving = null
      send({ say: 'count', batch: number, requests: batch.requests })
    })
    return batch
  }

  return {
    count(hits) {
      leaving ??= begin()
      return new RemoteCount(leaving, hits, send)
    },
    used(hits) {
      const question = ++numbers
      return new Promise((resolve) => {
        questions.set(question, resolve)
        send({ say: 'used', question, hits })
      })
    },
    hear(reply) {
      switch (reply.say) {
        case 'counted':
          batches.get(reply.batch)?.settle(reply.verdicts)
          batches.delete(reply.batch)
          return
        case 'used':
          questions.get(reply.question)?.(reply.used)
          questions.delete(reply.question)
      }
    },
  }
}

/** The requests that share a message. */
class Batch {
  readonly requests: (readonly Hit[])[] = []
  readonly answered: Promise<void>
  #verdicts: readonly Verdict[] = []
  readonly #resolve: () => void

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.answered = promise
    this.#resolve = resolve
  }

  settle(verdicts: readonly Verdict[]): void {
    this.#verdicts = verdicts
    this.#resolve()
  }

  verdictAt(place: number): Verdict {
    const verdict = this.#verdicts[place]
    if (verdict === undefined) throw new Error('the verdict was read before the primary process replied')
    return verdict
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
    return this.#batch.verdictAt(this.#place).refused
  }

  giveBack(): void {
    if (this.refused !== null || this.#isGivenBack) return
    this.#isGivenBack = true
    this.#send({ say: 'give_back', hits: this.#hits, turn: this.#batch.verdictAt(this.#place).turn })
  }
}
