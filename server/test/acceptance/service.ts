import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { builtProgram } from '#test/built-server.ts'
import { processEnvironment } from './process-environment.ts'

/**
 * Many times longer than a start takes, because the machine may be busy with other tests, but shorter than a hook's
 * timeout.
 */
export const START_WITHIN_MS = 90_000

export type Service = {
  readonly address: string
  readonly pid: number
  /** Returns all output so far. */
  output(): string
  /** Sends the signal, and resolves with the exit code, or with the signal's name if the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

export type Ended = { readonly code: number | null; readonly output: string }

/**
 * Creates a directory for one test, which is removed when the test is over. Other users can read it, because a
 * PostgreSQL that root starts runs as another operating-system user and would otherwise store its data elsewhere.
 */
export async function temporaryDirectory(when: Afterwards = onTestFinished): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-acceptance-'))
  await chmod(directory, 0o755)
  when(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Registers a clean-up. By default it runs after the test. */
export type Afterwards = (work: () => Promise<void>) => void

/**
 * Starts the service as a separate process, which tests use over HTTP only. It runs the bundle, which starts faster
 * than the sources. `.ci/run` and production-install.test.ts start the sources.
 */
export async function startService(
  environment: Record<string, string>,
  argv: string[] = [],
  when: Afterwards = onTestFinished,
  entry?: string,
): Promise<Service> {
  const { child, output } = run(environment, argv, entry ?? (await builtProgram('main')))
  const exited = exitOf(child)
  when(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  const address = await Promise.race([
    printed(child, output, /^ {2}Readiness +(\S+)\/readyz$/m),
    exited.then((code) => Promise.reject(new Error(`the service ended with ${code}:\n${output()}`))),
  ])
  return {
    address,
    pid: child.pid ?? -1,
    output,
    end: (signal) => {
      child.kill(signal)
      return exited
    },
  }
}

/** Starts the service and waits until it ends, for starts that fail or are interrupted. */
export async function runToEnd(
  environment: Record<string, string>,
  argv: string[] = [],
  interrupt?: { readonly signal: NodeJS.Signals; readonly when: Promise<void> },
  entry?: string,
): Promise<Ended> {
  const { child, output } = run(environment, argv, entry ?? (await builtProgram('main')))
  const exited = exitOf(child)
  if (interrupt !== undefined) {
    await interrupt.when
    child.kill(interrupt.signal)
  }
  await exited
  return { code: child.exitCode, output: output() }
}

function run(
  environment: Record<string, string>,
  argv: string[],
  entry: string,
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [entry, ...argv], {
    // By default there is no demo, because most tests do not need it and it takes seconds.
    env: { ...processEnvironment(), PORTICO_DEMO: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
  return { child, output: () => text }
}

function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
}

function printed(child: ChildProcess, output: () => string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(
      () => reject(new Error(`not ready in ${START_WITHIN_MS} ms:\n${output()}`)),
      START_WITHIN_MS,
    )
    child.once('close', () => clearTimeout(tooLate))
    child.stdout?.on('data', () => {
      const found = pattern.exec(output())?.[1]
      if (found === undefined) return
      clearTimeout(tooLate)
      resolve(found)
    })
  })
}
