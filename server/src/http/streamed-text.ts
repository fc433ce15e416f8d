import { Type } from 'typebox'

/** Takes the next piece; resolves when the client has room for another, and rejects when it is gone. */
export type Write = (text: string) => Promise<void>

/**
 * An answer too long to be held as a whole. What it is made from is open only as long as `produce` runs, which waits for
 * the client at every piece: a slow one slows it down, and one that goes away ends it. Until the first piece is written
 * a refusal is still an ordinary answer. From then on there is so much time for all of it: a client that reads it drop by drop
 * would else keep open for hours what it is made from.
 */
export class StreamedText {
  readonly produce: (write: Write) => Promise<void>
  readonly takenWithinMs: number

  constructor(produce: (write: Write) => Promise<void>, takenWithinMs = 120_000) {
    this.produce = produce
    this.takenWithinMs = takenWithinMs
  }
}

export const streamedBody = (description: string) => Type.Unsafe<StreamedText>({ type: 'string', description })
