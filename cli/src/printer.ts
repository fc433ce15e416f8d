import { stripVTControlCharacters } from 'node:util'

type Stream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

export type Column<Row> = { readonly title: string; readonly text: (row: Row) => string; readonly style?: Style }

export type PrinterSettings = {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly colour: boolean
  readonly json: boolean
  readonly columns: number | undefined
}

const DEFAULT_COLUMNS = 80

/** Writes results to stdout and remarks to stderr. Results are tables on a terminal, and tab-separated lines in a pipe. */
export class Printer {
  readonly json: boolean
  readonly #settings: PrinterSettings
  #isDrawn = false

  constructor(settings: PrinterSettings) {
    this.#settings = settings
    this.json = settings.json
  }

  get onTerminal(): boolean {
    return this.#settings.stdout.isTTY === true
  }

  get remarksOnTerminal(): boolean {
    return this.#settings.stderr.isTTY === true
  }

  /** Replaces the current line of the terminal with this text. The next `line` or `note` clears the text. */
  redraw(text: string): void {
    this.#settings.stderr.write(`\r\u001b[K${text}`)
    this.#isDrawn = text !== ''
  }

  #clearDrawn(): void {
    if (this.#isDrawn) this.redraw('')
  }

  /** Prints one line of the result. */
  line(text = ''): void {
    this.#clearDrawn()
    this.#settings.stdout.write(`${this.onTerminal && this.#settings.colour ? text : stripVTControlCharacters(text)}\n`)
  }

  /** Prints text unchanged, such as completion scripts. */
  raw(text: string): void {
    this.#settings.stdout.write(text)
  }

  /** Prints a remark for the person at the terminal. */
  note(text: string): void {
    this.#clearDrawn()
    const plain = this.#settings.stderr.isTTY !== true || !this.#settings.colour
    this.#settings.stderr.write(`${plain ? stripVTControlCharacters(text) : text}\n`)
  }

  /** Prints one JSON document, indented on a terminal. */
  document(value: unknown): void {
    this.#settings.stdout.write(`${JSON.stringify(value, null, this.onTerminal ? 2 : 0)}\n`)
  }

  /** Prints one line of a stream of JSON. */
  entry(value: unknown): void {
    this.#settings.stdout.write(`${JSON.stringify(value)}\n`)
  }

  style(style: Style, text: string): string {
    const [on, off] = CODES[style]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    if (!this.onTerminal) {
      for (const row of rows) this.line(columns.map(({ text }) => oneLine(text(row))).join('\t'))
      return
    }
    const cells = rows.map((row) => columns.map(({ text }) => oneLine(text(row))))
    const widths = this.#widths(
      columns.map(({ title }) => title),
      cells,
    )
    const formatRow = (texts: readonly string[], style: (at: number, text: string) => string) =>
      texts
        .map((text, at) => style(at, fitToWidth(text, widths[at] ?? 0, at === texts.length - 1)))
        .join('  ')
        .trimEnd()
    this.line(
      formatRow(
        columns.map(({ title }) => title.toUpperCase()),
        (_, text) => this.style('dim', text),
      ),
    )
    for (const row of cells) {
      this.line(
        formatRow(row, (at, text) => {
          const style = columns[at]?.style
          return style === undefined ? text : this.style(style, text)
        }),
      )
    }
  }

  /** Prints a row that follows a table, or with `--json` a line of JSON. */
  row<Row>(columns: readonly Column<Row>[], row: Row): void {
    if (this.json) {
      this.entry(row)
      return
    }
    const cells = columns.map(({ text, style }) => {
      const cell = oneLine(text(row))
      return style === undefined ? cell : this.style(style, cell)
    })
    this.line(cells.join(this.onTerminal ? '  ' : '\t'))
  }

  /** Prints names and values, one pair per line. */
  fields(pairs: readonly (readonly [name: string, value: string])[]): void {
    const width = Math.max(...pairs.map(([name]) => name.length))
    for (const [name, value] of pairs) {
      if (this.onTerminal) this.line(`${this.style('dim', name.padEnd(width))}  ${value}`)
      else this.line(`${name}\t${oneLine(value)}`)
    }
  }

  /** Narrows the widest columns until the row fits the terminal, but never below the length of an id. */
  #widths(titles: readonly string[], cells: readonly (readonly string[])[]): number[] {
    const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)))
    const available =
      (this.#settings.columns ?? this.#settings.stdout.columns ?? DEFAULT_COLUMNS) - 2 * (titles.length - 1)
    for (let excess = sum(widths) - available; excess > 0; excess--) {
      const widest = widths.indexOf(Math.max(...widths))
      if ((widths[widest] ?? 0) <= MIN_WIDTH) break
      widths[widest] = (widths[widest] ?? 0) - 1
    }
    return widths
  }
}

/** The length of an id, which must be complete so that it can be copied. */
const MIN_WIDTH = 29

function fitToWidth(text: string, width: number, isLast: boolean): string {
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text
  return isLast ? cut : cut.padEnd(width)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const REDRAW_MS = 100
/** In a log file every update is a new line, so there are fewer updates. */
const LINE_EVERY_MS = 5_000

/**
 * Shows the progress of a command: on a terminal as one line that is redrawn, in a file as a new line at most every
 * five seconds.
 */
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

/** Returns `1 event` or `5 events`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** Converts a time of the API to `2026-11-18 05:00:35`. */
export function when(time: string | null): string {
  return time === null ? '–' : time.slice(0, 19).replace('T', ' ')
}
