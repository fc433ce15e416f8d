import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A real Redis or Valkey on a free port, which writes nothing to disk. */
export type RedisServer = {
  readonly url: string
  /** A connection for tests that inspect the server. */
  readonly client: Redis
  /** Kills the server at once. Its data is lost. */
  kill(): Promise<void>
  /** Starts the server again on the same port, without data. */
  startAgain(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

const READY = /Ready to accept connections/

export async function redisServer(): Promise<RedisServer> {
  const binary = await findBinary()
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'portico-redis-'))
  let child = await start(binary, port, directory)
  const client = new Redis(port, '127.0.0.1', { protocol: 2, retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => {})

  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    kill,
    startAgain: async () => {
      child = await start(binary, port, directory)
    },
    signal: (signal) => child.kill(signal),
    close: async () => {
      client.disconnect()
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function start(binary: string, port: number, directory: string): Promise<ChildProcess> {
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn(binary, settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      if (READY.test(output)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${binary} ended:\n${output}`)))
  })
  return child
}

async function findBinary(): Promise<string> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of ['redis-server', 'valkey-server']) {
      const file = join(directory, name)
      const found = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (found) return file
    }
  }
  throw new Error(
    'These tests need a redis-server or valkey-server on the path (Debian: apt-get install redis-server).',
  )
}
