/** The output: stderr, or a test's recorder. */
export type Screen = { readonly isTTY?: boolean; write(text: string): unknown }

export type ProgressBar = {
  show(done: { readonly lines: number; readonly bytes: number; readonly refused: number }): void
  /** Clears the line, so that the next output starts on an empty one. */
  end(): void
}

const BAR_CHARS = 24
const REDRAW_MS = 100
/** In a log file a redrawn bar would be thousands of lines. */
const LINE_EVERY_MS = 5_000

export function progressBar(
  screen: Screen,
  { bytes: whole, now = () => performance.now() }: { readonly bytes: number; readonly now?: () => number },
): ProgressBar {
  const onTerminal = screen.isTTY === true
  const everyMs = onTerminal ? REDRAW_MS : LINE_EVERY_MS
  const startedAt = now()
  let firstLine: number | null = null
  let shownAt = startedAt
  return {
    show({ lines, bytes, refused }) {
      firstLine ??= lines
      if (now() - shownAt < everyMs) return
      shownAt = now()
      const share = whole === 0 ? 1 : Math.min(1, bytes / whole)
      const perSecond = Math.round(((lines - firstLine) * 1_000) / (now() - startedAt))
      const percent = `${Math.floor(share * 100)}`.padStart(3)
      const text = `${percent} %  ${count(lines)} lines, ${count(perSecond)} a second, ${count(refused)} refused`
      screen.write(onTerminal ? `\r\x1b[K${bar(share)} ${text}` : `${text.trim()}\n`)
    },
    end() {
      if (onTerminal) screen.write('\r\x1b[K')
    },
  }
}

function bar(share: number): string {
  const full = Math.round(share * BAR_CHARS)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CHARS - full)}]`
}

function count(number: number): string {
  return number.toLocaleString('en')
}
