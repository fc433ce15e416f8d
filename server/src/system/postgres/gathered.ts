import type { WorldDatabase } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'

export type GatherLimits = {
  /** What one statement carries at most. */
  readonly rowsMax: number
  /** How many are under way at most; who comes meanwhile goes with the next one. */
  readonly statementsMax: number
}

/** One answer for each that was asked, in the same order; a promise for who has to wait longer than the others. */
type Answers<Answer> = Promise<readonly (Answer | Promise<Answer>)[]>

/**
 * Equal lookups of the same moment share one statement: a row more costs next to nothing, a statement more is
 * two trips through the kernel on either side and, where it writes, a commit. Nobody waits for company that is not at
 * the door already. Each gets an answer of their own, and a row the database refuses fails nobody but who asked for it.
 */
export function gathered<Asked, Answer>(
  limits: GatherLimits,
  askTogether: (db: WorldDatabase, all: readonly Asked[]) => Answers<Answer>,
): (db: WorldDatabase, asked: Asked) => Promise<Answer> {
  const gatherings = new WeakMap<WorldDatabase, Gathering<Asked, Answer>>()
  return (db, asked) => {
    let gathering = gatherings.get(db)
    if (gathering === undefined) {
      gathering = new Gathering(limits, (all) => askTogether(db, all))
      gatherings.set(db, gathering)
    }
    return gathering.ask(asked)
  }
}

type Waiting<Asked, Answer> = {
  readonly asked: Asked
  readonly resolve: (answer: Answer | Promise<Answer>) => void
  readonly reject: (error: unknown) => void
}

/** More than this will not be answered in time: better to say so at once. */
const WAITING_MAX = 1_000

class Gathering<Asked, Answer> {
  readonly #limits: GatherLimits
  readonly #askTogether: (all: readonly Asked[]) => Answers<Answer>
  readonly #waiting: Waiting<Asked, Answer>[] = []
  #underWay = 0
  #isDue = false

  constructor(limits: GatherLimits, askTogether: (all: readonly Asked[]) => Answers<Answer>) {
    this.#limits = limits
    this.#askTogether = askTogether
  }

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) {
        throw new DatabaseUnavailable(`${WAITING_MAX} are already waiting for the same statement`, null)
      }
      this.#waiting.push({ asked, resolve, reject })
      this.#sendSoon()
    })
  }

  #sendSoon(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#underWay === this.#limits.statementsMax) return
    this.#isDue = true
    this.#sendAfterTurn(1)
  }

  /** When a turn of the event loop brings nobody new: until then those who came at the same moment are still being read. */
  #sendAfterTurn(cameBefore: number): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > cameBefore && length < this.#limits.rowsMax) return this.#sendAfterTurn(length)
      this.#isDue = false
      while (this.#waiting.length > 0 && this.#underWay < this.#limits.statementsMax) {
        void this.#send(this.#waiting.splice(0, this.#limits.rowsMax))
      }
    })
  }

  async #send(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    this.#underWay++
    try {
      await this.#answer(batch)
    } catch (error) {
      await this.#explain(batch, error)
    }
    this.#underWay--
    this.#sendSoon()
  }

  async #answer(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    const answers = await this.#askTogether(batch.map(({ asked }) => asked))
    if (answers.length !== batch.length) throw new Error(`${batch.length} were asked, and ${answers.length} answered`)
    // As many as were asked, so none is missing.
    for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
  }

  /**
   * A refused row undoes the whole statement, so each is asked again alone to find whose it was. Not where the database
   * did not answer: it may have done what it was asked, and would not answer better now.
   */
  async #explain(batch: readonly Waiting<Asked, Answer>[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof DatabaseUnavailable) {
      for (const { reject } of batch) reject(error)
      return
    }
    await Promise.all(batch.map((one) => this.#answer([one]).catch(one.reject)))
  }
}
