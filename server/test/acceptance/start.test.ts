import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { usedData } from './data-directory.ts'
import { type Afterwards, runToEnd, type Service, startService, temporaryDirectory } from './service.ts'

const WARNINGS_ONLY = { LOG_LEVEL: 'warn' }

async function occupiedPort(port = 0, when: Afterwards = onTestFinished): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  when(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

let silentServerWasAsked: Promise<void> = Promise.resolve()

/** Starts a server that accepts connections and never responds, like a database behind a broken network. */
async function silentServer(): Promise<number> {
  const server = createServer()
  silentServerWasAsked = new Promise((resolve) =>
    server.once('connection', (socket) => {
      onTestFinished(() => void socket.destroy())
      resolve()
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const getJson = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, body: await response.json() }
}

/** Starts a service for all tests of a `describe`, and stops it after the last test. */
function startedService(start: (when: Afterwards) => Promise<Started>): Started {
  const opened = new AsyncDisposableStack()
  const started = {} as { -readonly [Part in keyof Started]: Started[Part] }
  beforeAll(async () => {
    Object.assign(
      started,
      await start((work) => {
        opened.defer(work)
      }),
    )
  })
  afterAll(() => opened.disposeAsync())
  return started
}

type Started = { readonly data: string; readonly service: Service; readonly when: Afterwards }

describe('npm start, several times on the same data,', () => {
  const first = startedService(async (when) => {
    const data = await temporaryDirectory(when)
    return { data, when, service: await startService({ PORT: '0', PORTICO_DATA: data, ...WARNINGS_ONLY }, [], when) }
  })
  let second: Service

  test('runs on its own PostgreSQL, prints its address, and prints a curl line that works', async () => {
    const line = /^ {2}curl (\S+)$/m.exec(first.service.output())?.[1] ?? ''
    expect(await getJson(line)).toEqual({ status: 200, body: { status: 'ok' } })
    await expect
      .poll(() => getJson(`${first.service.address}/readyz`))
      .toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  // The test kills the service after a first start, so that PostgreSQL has to recover the migrations too.
  test('starts again after all processes were killed with -9', async () => {
    const { data, when, service } = first
    const postgres = postgresOf(data)
    expect(await service.end('SIGKILL')).toBe('SIGKILL')
    for (const pid of postgres) killIfRunning(pid)
    second = await startService({ PORT: '0', PORTICO_DATA: data, ...WARNINGS_ONLY }, [], when)
    await expect.poll(() => getJson(`${second.address}/readyz`)).toMatchObject({ status: 200 })
  })

  test('starts again on the PostgreSQL that still runs after Node was killed, and exits with 0 on SIGTERM', async () => {
    const { data, when } = first
    await second.end('SIGKILL')
    const left = postgresOf(data)
    const third = await startService({ PORT: '0', PORTICO_DATA: data, ...WARNINGS_ONLY }, [], when)
    expect(postgresOf(data)).toEqual(left)
    await expect.poll(() => getJson(`${third.address}/readyz`)).toMatchObject({ status: 200 })
    expect(await third.end('SIGTERM')).toBe(0)
  })
})

describe('a running service', () => {
  const running = startedService(async (when) => {
    const data = await usedData(when)
    return { data, when, service: await startService({ PORT: '0', PORTICO_DATA: data }, [], when) }
  })

  test('logs each step of the start once, as JSON if the output is a pipe, and no migrations if all were applied before', async () => {
    const { service } = running
    const lines = () => (service.output().match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line))
    await expect
      .poll(lines)
      .toMatchObject([
        { msg: expect.stringMatching(/^PostgreSQL [\d.]+ is running$/) },
        { msg: `listening on ${service.address}` },
        { msg: 'ready', address: service.address, pid: service.pid, steps: expect.any(Object) },
      ])
    expect(service.output()).not.toContain('migrations applied')
  })

  test('keeps running when a second start on the same data fails, which prints the process id of the service', async () => {
    const { data, service } = running
    const second = await runToEnd({ PORT: '0', PORTICO_DATA: data, ...WARNINGS_ONLY })
    expect(second.code).toBe(1)
    expect(second.output).toContain(String(service.pid))
    await expect.poll(() => getJson(`${service.address}/readyz`)).toMatchObject({ status: 200 })
  })

  test('starts its PostgreSQL again after PostgreSQL was killed, and then answers requests again', async () => {
    const { data, service } = running
    const killed = postgresOf(data)
    for (const pid of killed) killIfRunning(pid)
    await expect.poll(() => postgresOf(data).filter((pid) => !killed.includes(pid)), { interval: 200 }).not.toEqual([])
    await expect.poll(async () => (await fetch(`${service.address}/readyz`)).status, { interval: 200 }).toBe(200)
  })

  test('stops in order when a signal comes twice, from the terminal and from npm', async () => {
    const { data, service } = running
    process.kill(service.pid, 'SIGINT')
    expect(await service.end('SIGINT')).toBe(0)
    expect(postgresOf(data)).toEqual([])
  })
})

describe('a service on the default port, with a public address', () => {
  const running = startedService(async (when) => {
    // Another process may already use 4400. Then the port also counts as taken.
    await occupiedPort(4400, when).catch(() => {})
    const data = await usedData(when)
    const settings = { PORTICO_BASE_URL: 'https://api.example', PORTICO_DATA: data, ...WARNINGS_ONLY }
    return { data, when, service: await startService(settings, [], when) }
  })

  test('uses and prints the next free port if the default port is taken', async () => {
    const { address } = running.service
    expect(address).toMatch(/^http:\/\/localhost:44\d\d$/)
    expect(address).not.toBe('http://localhost:4400')
    expect(await getJson(`${address}/healthz`)).toMatchObject({ status: 200 })
  })

  test('prints its public and its local address, and a curl line that uses the local address', async () => {
    const { service } = running
    expect(service.output()).toMatch(/^ {2}API +https:\/\/api\.example$/m)
    expect(service.output()).toContain(`Listening    ${service.address}`)
    const line = /^ {2}curl (\S+)$/m.exec(service.output())?.[1] ?? ''
    expect(await getJson(line)).toEqual({ status: 200, body: { status: 'ok' } })
  })

  test('stops on Ctrl-C with exit code 0, and its PostgreSQL too', async () => {
    const { data, service } = running
    expect(postgresOf(data)).not.toEqual([])
    expect(await service.end('SIGINT')).toBe(0)
    expect(postgresOf(data)).toEqual([])
  })
})

describe('npm start', () => {
  test('stops on a signal during the start, even while the database does not respond', async () => {
    const silent = await silentServer()
    const ended = await runToEnd(
      {
        DATABASE_URL: `postgres://u:p@127.0.0.1:${silent}/x`,
        PORTICO_SECRET: 'x'.repeat(40),
        PORT: '0',
        ...WARNINGS_ONLY,
      },
      [],
      // The service has connected and waits for a response that never comes.
      { signal: 'SIGTERM', when: silentServerWasAsked },
    )
    expect(ended.code).toBe(0)
  })

  test('ends with a clear error if the configured port is taken, before any other step', async () => {
    const port = await occupiedPort()
    const data = join(await temporaryDirectory(), 'data')
    const ended = await runToEnd({ PORT: String(port), PORTICO_DATA: data, ...WARNINGS_ONLY })
    expect(ended.code).toBe(1)
    expect(ended.output).toContain(`Port ${port} on localhost is already taken`)
    expect(existsSync(data)).toBe(false)
  })

  test('--role worker serves only its health', async () => {
    const service = await startService({ PORT: '0', PORTICO_DATA: await usedData(), ...WARNINGS_ONLY }, [
      '--role',
      'worker',
    ])
    await expect
      .poll(() => getJson(`${service.address}/readyz`))
      .toMatchObject({
        status: 200,
        body: { checks: { workers: 'ok' } },
      })
    expect(await getJson(`${service.address}/openapi.json`)).toMatchObject({ status: 404 })
    expect(service.output()).not.toContain('/docs')
    expect(service.output()).toContain(`Listening    ${service.address}`)
  })

  test('--reset starts with an empty database, and the log is text if configured', async () => {
    const settings = { PORT: '0', PORTICO_DATA: await usedData(), LOG_FORMAT: 'text' }
    const { output } = await startService(settings, ['--reset'])
    await expect.poll(output).toMatch(/^[\d:.]{12} info {2}listening on http:\/\/localhost:\d+ ms=\d+$/m)
    expect(output().match(/\d+ migrations applied/g)).toHaveLength(1)
    expect(output()).not.toMatch(/^\{/m)
    expect(output()).not.toContain('\u001B')
  })
})

describe('npm start -- --help', () => {
  test.each([['--help'], ['-h']])(
    '%s prints its description with examples to stdout, and starts nothing',
    async (flag) => {
      const data = join(await temporaryDirectory(), 'data')
      const ended = await runToEnd({ PORTICO_DATA: data }, [flag])
      expect(ended.code).toBe(0)
      expect(ended.output).toMatch(/^Usage: npm start -- /)
      expect(ended.output).toContain('Examples:')
      expect(existsSync(data)).toBe(false)
    },
  )
})

describe('an impossible start', () => {
  test.each([
    [{ PORT: 'eighty' }, [], 'PORT="eighty"'],
    [{}, ['--role', 'boss'], '--role boss'],
    [{}, ['--rolle', 'api'], "Unknown option '--rolle'"],
    [{}, ['api'], 'Unknown argument "api"'],
    [{ LOG_FORMAT: 'xml' }, [], 'LOG_FORMAT="xml"'],
    [{ DATABASE_URL: 'postgres://u:p@h:notaport/x', PORTICO_SECRET: 'x'.repeat(40) }, [], 'DATABASE_URL=(hidden)'],
    [{ DATABASE_URL: 'postgres://127.0.0.1/x' }, [], 'PORTICO_SECRET'],
    [
      { DATABASE_URL: 'postgres://127.0.0.1/x', PORTICO_SECRET: 'x'.repeat(40) },
      ['--reset'],
      '--reset is for the embedded',
    ],
  ])('%j %j ends with exit code 2 and names the setting', async (environment, argv, said) => {
    const ended = await runToEnd(environment, argv)
    expect(ended.code).toBe(2)
    expect(ended.output).toContain(said)
  })

  test('a HOST that is not an address of this machine ends with exit code 2 and names the setting', async () => {
    const ended = await runToEnd({ HOST: '203.0.113.9', PORT: '0', PORTICO_DATA: await usedData(), ...WARNINGS_ONLY })
    expect(ended.code).toBe(2)
    expect(ended.output).toContain('HOST="203.0.113.9"')
  })

  test('a file in place of the data directory ends with an error that names the directory, without a stack trace', async () => {
    const data = join(await temporaryDirectory(), 'file')
    writeFileSync(data, '')
    const ended = await runToEnd({ PORT: '0', PORTICO_DATA: data, ...WARNINGS_ONLY })
    expect(ended.code).toBe(1)
    expect(ended.output).toContain(data)
    expect(ended.output).not.toContain('    at ')
  })

  test('an unreachable database ends with exit code 1 and names what to check, without the password', async () => {
    const ended = await runToEnd({
      DATABASE_URL: 'postgres://u:hushhush@127.0.0.1:9/x',
      PORTICO_SECRET: 'x'.repeat(40),
      PORT: '0',
    })
    expect(ended.code).toBe(1)
    expect(ended.output).toContain('DATABASE_URL')
    expect(ended.output).not.toContain('hushhush')
  })
})

/** Returns the postmasters of the data directories below this one, from the system's list of processes. */
function postgresOf(directory: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids
    .map(Number)
    .filter((pid) => commandOf(pid).some((word) => word.startsWith(join(directory, 'postgres'))))
  // A backend still has its parent's command line just after the fork.
  return found.filter((pid) => !found.includes(parentOf(pid)))
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0 // The process has ended.
  }
}

/** Kills a process, which may have ended by itself meanwhile. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function commandOf(pid: number): string[] {
  try {
    const [command = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return command.endsWith('/postgres') ? words : []
  } catch {
    return [] // The process ended after it was listed.
  }
}
