import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const BIN = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

export type Ended = { readonly code: number | NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What it printed so far. */
  stdout(): string
  stderr(): string
}

export type How = { readonly directory: string; readonly environment?: Readonly<Record<string, string>> }

/** A project folder, with a demo file in it if a demo is given. */
export async function projectFolder(demo?: unknown): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-cli-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  if (demo !== undefined) {
    await mkdir(join(directory, '.portico'))
    await writeFile(join(directory, '.portico', 'demo.json'), JSON.stringify(demo))
  }
  return directory
}

/** The environment of a process, without the tests' own variables, so that these do not change what it prints. */
export function plainEnvironment({ directory, environment = {} }: How): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME: directory, TZ: 'UTC', TERM: 'xterm', ...environment }
}

/** The command line as a process of its own, in a pipe; ended with the test. */
export function startPortico(argv: readonly string[], how: How): Running {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: how.directory,
    env: plainEnvironment(how),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...said }))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, ended, stdout: () => said.stdout, stderr: () => said.stderr }
}

export function portico(argv: readonly string[], how: How): Promise<Ended> {
  return startPortico(argv, how).ended
}
