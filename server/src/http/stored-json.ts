/**
 * An answer that is JSON text already, put together from stored pieces. It is sent as it is: making objects of it only to
 * write them out again would halve the speed of the two hot reads. The route's schema describes it all the same, and the
 * route's tests hold every kind of such an answer against that schema.
 */
export class StoredJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
