import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { type How, plainEnvironment } from './portico.ts'

const BIN = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

/** The command line on a terminal of a hundred columns: what it shows there, stdout and stderr together, and its exit code. */
export function onTerminal(
  argv: readonly string[],
  how: How,
): Promise<{ readonly code: number; readonly shown: string }> {
  const terminal = spawn(process.execPath, [BIN, ...argv], {
    cols: 100,
    rows: 40,
    cwd: how.directory,
    env: plainEnvironment(how),
  })
  let shown = ''
  terminal.onData((text) => {
    shown += text
  })
  let isOver = false
  const ended = new Promise<{ code: number; shown: string }>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      isOver = true
      resolve({ code: exitCode, shown: shown.replaceAll('\r\n', '\n') })
    })
  })
  onTestFinished(() => {
    if (!isOver) terminal.kill('SIGKILL')
  })
  return ended
}

/** Ids, times and addresses differ from run to run: they are shown as long as they are, so that columns stay where they are. */
export function steady(text: string): string {
  return text
    .replaceAll(/(evt|inv|inst|ofr|whe|dlv|usr|co|syn|app|mem|pk_test|req)_[0-9A-Za-z]{12,}/g, (id) => {
      const prefix = /^[a-z]+(_test)?_/.exec(id)?.[0] ?? ''
      return prefix + 'X'.repeat(id.length - prefix.length)
    })
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, (at) => at.replaceAll(/\d/g, '0'))
    .replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, 'localhost:00000')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_XXX')
}
