import type { Counted, Sent } from '#http/counted.ts'
import type { Count, Hit } from '#system/counting/window-counter.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { Guessing } from './counted-limits.ts'
import { type Counting, count, refuse } from './limit-table.ts'

export type CountedParts = {
  readonly counting: Counting
  readonly sent: Sent
  /** Null where guesses are not counted. */
  readonly guard: Guessing | null
  /** Null where what was sent is known. */
  readonly guess: Count | null
  /** Null where nothing but guesses is counted. */
  readonly count: Count | null
}

/** A request with all that it was counted on, from when it arrives until it is known what it is about. */
export class CountedRequest implements Counted {
  readonly answered: Promise<unknown> | null
  readonly #parts: CountedParts

  constructor(parts: CountedParts) {
    this.#parts = parts
    this.answered = parts.count?.answered ?? null
  }

  get sent(): Sent {
    return this.#parts.sent
  }

  /** What is refused is not looked up, and was no guess. */
  requireAllowed(): void {
    const { counting, guess, count: counted } = this.#parts
    const refused = counted?.refused ?? null
    if (refused === null) return
    guess?.giveBack()
    refuse(counting, refused)
  }

  lookedUp(isHeld: boolean | null): void {
    const { guess, guard, sent } = this.#parts
    if (guess === null || isHeld === false) return
    guess.giveBack()
    if (isHeld === true && sent.credential !== null) guard?.isHeld(sent.credential.digest)
  }

  issued(accessToken: string): void {
    this.#parts.guard?.isHeld(hexDigestOf(accessToken))
  }

  async countOn(hits: readonly Hit[]): Promise<Count> {
    try {
      return await count(this.#parts.counting, hits)
    } catch (error) {
      this.#parts.count?.giveBack()
      throw error
    }
  }
}

/** A request whose limits are counted only once another answer is known: that of the guess, where a store counts it. */
export class CountedAfter implements Counted {
  readonly answered: Promise<unknown>
  readonly sent: Sent
  #counted: Counted | null = null

  constructor(sent: Sent, first: Promise<void>, next: () => Counted) {
    this.sent = sent
    this.answered = first.then(() => {
      this.#counted = next()
      return this.#counted.answered
    })
  }

  get #known(): Counted {
    if (this.#counted === null) throw new Error('the verdict was read before it was answered')
    return this.#counted
  }

  requireAllowed(): void {
    this.#known.requireAllowed()
  }

  lookedUp(isHeld: boolean | null): void {
    this.#known.lookedUp(isHeld)
  }

  issued(accessToken: string): void {
    this.#known.issued(accessToken)
  }

  countOn(hits: readonly Hit[]): Promise<Pick<Count, 'giveBack'>> {
    return this.#known.countOn(hits)
  }
}
