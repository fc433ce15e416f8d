/**
 * Which of the last so many different texts were seen: at least `textsMax`, at most twice as many, and never more memory
 * than for those. Nothing is measured or swept: when one half is full, the older one is dropped, but for what was asked for
 * meanwhile.
 */
export class RecentlySeen {
  readonly #textsMax: number
  #newer = new Set<string>()
  #older: ReadonlySet<string> = new Set()

  constructor(textsMax: number) {
    this.#textsMax = textsMax
  }

  has(text: string): boolean {
    if (this.#newer.has(text)) return true
    if (!this.#older.has(text)) return false
    this.note(text)
    return true
  }

  note(text: string): void {
    if (this.#newer.size >= this.#textsMax && !this.#newer.has(text)) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(text)
  }
}
