import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { processEnvironment } from './process-environment.ts'

/** A person at a terminal, who types one command after the other and reads the output. */
export type Shell = {
  /** All output so far. */
  output(): string
  /** Resolves as soon as matching text is printed, with its groups. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Types this and resolves when it is done; rejects if it failed. */
  type(commands: string): Promise<void>
}

const DONE = '--done--'
/** Many times longer than any command takes. */
const WITHIN_MS = 120_000

/** A bash in this directory, with the Node of these tests, ended with the test and all its processes. */
export function openShell(directory: string): Shell {
  const environment = processEnvironment()
  const bash = spawn('bash', ['--norc', '-eu', '-o', 'pipefail'], {
    cwd: directory,
    env: { ...environment, PATH: `${dirname(process.execPath)}:${environment['PATH']}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, which is ended as a whole.
    detached: true,
  })
  const ended = once(bash, 'close')
  const said = gathered(bash)
  onTestFinished(async () => {
    if (bash.exitCode === null && bash.pid !== undefined) process.kill(-bash.pid, 'SIGTERM')
    await ended
  })
  const printed: Shell['printed'] = (pattern) => {
    const missing = (why: string) => Promise.reject(new Error(`${why} before ${pattern} was printed:\n${said.text()}`))
    const tooLong = wait(WITHIN_MS, undefined, { ref: false })
    return Promise.race([
      said.find(pattern),
      ended.then(() => missing('it ended')),
      tooLong.then(() => missing('too long')),
    ])
  }
  let typed = 0
  return {
    output: said.text,
    printed,
    type: async (commands) => {
      typed += 1
      // The output before it may not end with a line break.
      bash.stdin.write(`${commands}\nprintf '\\n${DONE} ${typed}\\n'\n`)
      await printed(new RegExp(`^${DONE} ${typed}$`, 'm'))
    },
  }
}

function gathered({ stdout, stderr }: ChildProcess) {
  let text = ''
  const looking = new Set<() => void>()
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk
      for (const look of looking) look()
    })
  }
  const find = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const found = pattern.exec(text)
        if (found === null) return
        looking.delete(look)
        resolve(found)
      }
      looking.add(look)
      look()
    })
  return { text: () => text, find }
}
