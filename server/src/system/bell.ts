/** Wakes the one who waits for it. Rung while nobody waits, it ends the next wait at once: no ring is lost. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    if (this.#wake === null) this.#rung = true
    else this.#wake()
  }

  /** Until it rings, or for as long as given. */
  wait(ms: number): Promise<void> {
    if (this.#rung) {
      this.#rung = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer)
        this.#wake = null
        resolve()
      }
      const timer = setTimeout(over, ms)
      this.#wake = over
    })
  }
}
