import type { Printer } from './printer.ts'

const REDRAW_MS = 100
/** In a log file a redrawn line would be thousands of them. */
const LINE_EVERY_MS = 5_000

/** A line that is redrawn on a terminal, and written again from time to time where it goes to a file. */
export class Progress {
  readonly #printer: Printer
  #shownAt = performance.now()

  constructor(printer: Printer) {
    this.#printer = printer
  }

  show(text: () => string): void {
    const { remarksOnTerminal } = this.#printer
    if (performance.now() - this.#shownAt < (remarksOnTerminal ? REDRAW_MS : LINE_EVERY_MS)) return
    this.#shownAt = performance.now()
    if (remarksOnTerminal) this.#printer.redraw(text())
    else this.#printer.note(text())
  }

  /** Clears the line, so that the next output begins on an empty one. */
  end(): void {
    if (this.#printer.remarksOnTerminal) this.#printer.redraw('')
  }
}
