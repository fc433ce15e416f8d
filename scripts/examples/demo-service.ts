import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Demo } from './calls.ts'

const ROOT = join(import.meta.dirname, '../..')

type Running = { readonly demo: Demo; readonly inspectorUrl?: string | undefined; stop(): Promise<void> }
type Wanted = {
  /** The data directory of a service that runs already. */
  readonly data?: string | undefined
  /** Whether an inspector may connect, on the loopback address. */
  readonly inspect?: boolean
}

/**
 * The service as `npm start` runs it, with its demo world, without limits and in its own directory; or the service that
 * already runs on a data directory.
 */
export async function startDemo({ data, inspect = false }: Wanted = {}): Promise<Running> {
  if (data !== undefined) return { demo: await readDemo(data), stop: async () => {} }
  const directory = await mkdtemp(join(tmpdir(), 'portico-examples-'))
  await chmod(directory, 0o755)
  const flags = inspect ? ['--inspect=127.0.0.1:0'] : []
  const child = spawn(process.execPath, [...flags, join(ROOT, 'server/src/main/main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      PORTICO_DATA: directory,
      PORTICO_DEMO: 'on',
      PORTICO_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let inspectorUrl: string | undefined
  child.stderr.on('data', (chunk: Buffer) => {
    inspectorUrl ??= /Debugger listening on (ws:\S+)/.exec(String(chunk))?.[1]
    if (!inspect) process.stderr.write(chunk)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  let text = ''
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('Stop with Ctrl-C')) resolve()
    })
    void ended.then(resolve)
  })
  if (child.exitCode !== null) throw new Error(`the service did not start:\n${text}`)
  return { demo: await readDemo(directory), inspectorUrl, stop }
}

async function readDemo(directory: string): Promise<Demo> {
  return JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8')) as Demo
}
