type Waiting<Asked, Answer> = {
  readonly asked: Asked
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

const TOGETHER_MAX = 256

/**
 * Whoever asks at the same moment shares one round trip, and one is under way at a time: writing to a socket and being
 * woken by it cost more than the asking. Who comes meanwhile goes with the next one.
 */
export class Gathering<Asked, Answer> {
  readonly #askTogether: (all: readonly Asked[]) => Promise<readonly Answer[]>
  readonly #waiting: Waiting<Asked, Answer>[] = []
  #isBusy = false

  constructor(askTogether: (all: readonly Asked[]) => Promise<readonly Answer[]>) {
    this.#askTogether = askTogether
  }

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject })
      this.#sendSoon()
    })
  }

  #sendSoon(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#sendAfterTurn(1)
  }

  /** When a turn of the event loop brings nobody new: until then those who came at the same moment are still being read. */
  #sendAfterTurn(cameBefore: number): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > cameBefore && length < TOGETHER_MAX) this.#sendAfterTurn(length)
      else void this.#send(this.#waiting.splice(0, TOGETHER_MAX))
    })
  }

  async #send(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askTogether(batch.map(({ asked }) => asked))
      // As many as were asked, so none is missing.
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#isBusy = false
    if (this.#waiting.length > 0) this.#sendSoon()
  }
}
