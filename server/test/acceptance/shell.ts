import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { processEnvironment } from './process-environment.ts'

/** Acts as a person at a terminal, who types one command after another and reads the output. */
export type Shell = {
  /** Returns all output so far. */
  output(): string
  /** Resolves with the groups of the pattern, as soon as matching text is printed. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Types a command. Resolves when the command is done, rejects if it failed. */
  type(commands: string): Promise<void>
}

const DONE = '--done--'
/** Many times longer than a command takes. */
const WITHIN_MS = 120_000

/** Starts bash in a directory, with the Node of these tests. Bash and all its processes end with the test. */
export function openShell(directory: string): Shell {
  const environment = processEnvironment()
  const bash = spawn('bash', ['--norc', '-eu', '-o', 'pipefail'], {
    cwd: directory,
    env: { ...environment, PATH: `${dirname(process.execPath)}:${environment['PATH']}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    // The shell gets its own process group, so that all its processes can be ended together.
    detached: true,
  })
  const ended = once(bash, 'close')
  const output = collectOutput(bash)
  onTestFinished(async () => {
    if (bash.exitCode === null && bash.pid !== undefined) process.kill(-bash.pid, 'SIGTERM')
    await ended
  })
  const printed: Shell['printed'] = (pattern) => {
    const missing = (why: string) =>
      Promise.reject(new Error(`${why} before ${pattern} was printed:\n${output.text()}`))
    const tooLong = wait(WITHIN_MS, undefined, { ref: false })
    return Promise.race([
      output.find(pattern),
      ended.then(() => missing('the shell ended')),
      tooLong.then(() => missing('the time limit passed')),
    ])
  }
  let typed = 0
  return {
    output: output.text,
    printed,
    type: async (commands) => {
      typed += 1
      // The marker starts with a line break, because the output before it may not end with one.
      bash.stdin.write(`${commands}\nprintf '\\n${DONE} ${typed}\\n'\n`)
      await printed(new RegExp(`^${DONE} ${typed}$`, 'm'))
    },
  }
}

function collectOutput({ stdout, stderr }: ChildProcess) {
  let text = ''
  const waiting = new Set<() => void>()
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk
      for (const look of waiting) look()
    })
  }
  const find = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const checkOutput = () => {
        const found = pattern.exec(text)
        if (found === null) return
        waiting.delete(checkOutput)
        resolve(found)
      }
      waiting.add(checkOutput)
      checkOutput()
    })
  return { text: () => text, find }
}
