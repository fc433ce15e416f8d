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
