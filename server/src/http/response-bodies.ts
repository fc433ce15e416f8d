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

/** The client of an answer that goes on. */
export type LiveClient = {
  /** False: the client has not taken what was written before. Wait for `drained`, so that no text waits in our memory. */
  write(text: string): boolean
  /** The answer is complete. */
  end(): void
}

/** What the edge tells the writer of an answer that goes on. */
export type LiveWriter = {
  drained(): void
  /** `gone`: the client hung up. `closing`: the server stops; the writer says goodbye and ends the answer at once. */
  ended(why: 'gone' | 'closing'): void
  /** For the line of the log, when it is over. */
  line(): Readonly<Record<string, string | number>>
}

/**
 * An answer that goes on for as long as its client stays. Nothing is open for it meanwhile: no transaction, no connection to the
 * database. It is the last answer of its connection.
 */
export class LiveText {
  readonly begin: (client: LiveClient) => LiveWriter
  /**
   * Throws if no more of them may be open. Called in the same turn as `begin`, so that of many requests at one moment no more than
   * allowed begin; an error is still an ordinary answer.
   */
  readonly admit: () => void

  constructor(begin: (client: LiveClient) => LiveWriter, admit = () => {}) {
    this.begin = begin
    this.admit = admit
  }
}

/**
 * An answer that is JSON text already, put together from stored pieces. It is sent as it is: making objects of it only to
 * write them out again would halve the speed of the two hot reads. The route's schema describes it all the same, and the
 * route's tests hold every kind of such an answer against that schema.
 */
export class StoredJson {
  /**
   * Bytes where they are kept for many answers, so that a long text need not be made bytes for each of them; several,
   * where one of them is long and came from elsewhere, so that it is not copied only to be sent.
   */
  readonly text: string | Buffer | readonly Buffer[]

  constructor(text: string | Buffer | readonly Buffer[]) {
    this.text = text
  }
}

/** Pictures that hold pixels and nothing else: no script, no link. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** The body of a route that answers with `image/*`: each answer says which kind it is. */
export type Picture = { readonly mediaType: PictureType; readonly bytes: Buffer }

export function isPicture(body: unknown): body is Picture {
  const { mediaType, bytes } = (body ?? {}) as Partial<Picture>
  return PICTURE_TYPES.some((type) => type === mediaType) && Buffer.isBuffer(bytes)
}

/** Pages and pictures on this server are stored as a path; API clients need the absolute URL. */
export function absoluteUrl(origin: string, address: string): string
export function absoluteUrl(origin: string, address: string | null): string | null
export function absoluteUrl(origin: string, address: string | null): string | null {
  return address?.startsWith('/') ? origin + address : address
}
