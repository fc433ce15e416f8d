import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { Connection, findConnection } from '../../src/connection/connection.ts'

const BIN = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

export type Ended = { readonly code: number | NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The output so far. */
  stdout(): string
  stderr(): string
}

export type How = { readonly directory: string; readonly environment?: Readonly<Record<string, string>> }

/** Creates a project folder, with a demo file if a demo is passed. */
export async function projectFolder(demo?: unknown): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-cli-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  if (demo !== undefined) {
    await mkdir(join(directory, '.portico'))
    await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  }
  return directory
}

/** The environment of a process, without the variables of the tests, so that these do not change the output. */
export function plainEnvironment({ directory, environment = {} }: How): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME: directory, TZ: 'UTC', TERM: 'xterm', ...environment }
}

/** Starts the command line in its own process with pipes. The process is killed after the test. */
export function startPortico(argv: readonly string[], options: How): Running {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: options.directory,
    env: plainEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output }))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, ended, stdout: () => output.stdout, stderr: () => output.stderr }
}

export function portico(argv: readonly string[], options: How): Promise<Ended> {
  return startPortico(argv, options).ended
}

/** The connection of a command in this folder, for tests of a command's parts. */
export async function connectionIn(directory: string): Promise<Connection> {
  const none = { baseUrl: undefined, clientId: undefined, clientSecret: undefined, operatorKey: undefined }
  const environment = {
    ...{ ...none, profile: undefined, noColor: true, columns: undefined, shell: '', browser: undefined },
    configDirectory: join(directory, '.config/portico'),
  }
  const values = { demo: false, profile: undefined, app: undefined, mode: undefined, 'base-url': undefined }
  return new Connection(await findConnection({ values, environment, directory }))
}
