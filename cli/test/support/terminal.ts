import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { type How, plainEnvironment } from './portico.ts'

const BIN = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

type Shown = { readonly code: number; readonly shown: string }

export type OnTerminal = {
  readonly ended: Promise<Shown>
  /** The text on the terminal so far. */
  shown(): string
  press(keys: string): void
}

export const CTRL_C = '\u0003'

/** Runs the command line on a terminal with 100 columns. Returns stdout and stderr as one text, and the exit code. */
export function onTerminal(argv: readonly string[], options: How): Promise<Shown> {
  return startOnTerminal(argv, options).ended
}

export function startOnTerminal(argv: readonly string[], options: How): OnTerminal {
  const terminal = spawn(process.execPath, [BIN, ...argv], {
    cols: 100,
    rows: 40,
    cwd: options.directory,
    env: plainEnvironment(options),
  })
  let shown = ''
  terminal.onData((text) => {
    shown += text
  })
  let isOver = false
  const ended = new Promise<Shown>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      isOver = true
      resolve({ code: exitCode, shown: shown.replaceAll('\r\n', '\n') })
    })
  })
  onTestFinished(() => {
    if (!isOver) terminal.kill('SIGKILL')
  })
  return { ended, shown: () => shown, press: (keys) => terminal.write(keys) }
}

const REDRAWN = '\r\u001b[K'

const PROGRESS = /^(Listing|Applying changes): [^\n]*$/

/**
 * Replaces ids, times, counts and addresses, which differ from run to run. Ids are replaced by text of the same length, so that
 * columns do not move.
 */
export function steady(text: string): string {
  return (
    text
      .replaceAll(/(evt|inv|inst|ofr|whe|dlv|usr|co|syn|app|mem|pk_test|req)_[0-9A-Za-z]{12,}/g, (id) => {
        const prefix = /^[a-z]+(_test)?_/.exec(id)?.[0] ?? ''
        return prefix + 'X'.repeat(id.length - prefix.length)
      })
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, (at) => at.replaceAll(/\d/g, '0'))
      .replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, 'localhost:00000')
      .replaceAll(/whsec_[\w+/=]+/g, 'whsec_XXX')
      .replaceAll(/\d+(\.\d)? (ms|s|min)\b/g, '0 ms')
      .replaceAll(/(?<!\d)\d\d:\d\d:\d\d(?!\d)/g, '00:00:00')
      .replaceAll(/[\d,]+ (changed investment|investment|active)s?\b/g, '0 $1')
      // The number of progress lines depends on the speed of the machine.
      .split(REDRAWN)
      .filter((piece) => !PROGRESS.test(piece))
      .join('')
      .replaceAll(/^(Listing|Applying changes): .*\n/gm, '')
  )
}
