import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Pool, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { type Service, START_WITHIN_MS, startService } from './service.ts'

/** One service in which several processes answer requests at one address. */

const opened = new AsyncDisposableStack()
const afterTests = (work: () => Promise<void>) => opened.defer(work)
afterAll(() => opened.disposeAsync())

/** Uses a new connection for each request, because a process that ends may close a connection that is used again. */
const get = (url: string) => request(url, { reset: true })

const getJson = async (url: string) => {
  const { statusCode: status, body } = await get(url)
  return { status, body: await body.json() }
}

const getText = async (url: string) => (await get(url)).body.text()

/** Reads a file of a process. Returns an empty text if the process has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the parent of a process, from the fields after its name. */
function parentOf(pid: string): number {
  const stat = readText(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Returns the processes that answer requests: those that the service started, without its PostgreSQL. */
function processesOf({ pid }: Service): readonly number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return children.filter((child) => readText(`/proc/${child}/cmdline`).includes('api-process')).map(Number)
}

const metricsOf = ({ address }: Service) => getText(`${address}/metrics`)

/** Returns the numbers of the processes that have answered requests for this operation. */
async function processNumbers(service: Service, operation: string): Promise<ReadonlySet<string | undefined>> {
  const text = await metricsOf(service)
  const line = /^portico_http_request_seconds_count\{([^}]*)\} \d+$/gm
  const labels = [...text.matchAll(line)].map(([, found = '']) => found)
  const ours = labels.filter((found) => found.includes(`operation="${operation}"`))
  return new Set(ours.map((found) => /process="(\d+)"/.exec(found)?.[1]))
}

/** Begins a request and its body. `finish` sends the rest and resolves with the response. */
function slowRequest({ address }: Service): Promise<{ finish(): Promise<string> }> {
  const { port } = new URL(address)
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk))
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  const head = ['POST /oauth/token HTTP/1.1', 'Host: localhost', 'Content-Type: application/x-www-form-urlencoded']
  socket.write([...head, 'Content-Length: 29', 'Expect: 100-continue', '', ''].join('\r\n'))
  const finish = () => {
    socket.write('grant_type=client_credentials')
    return closed
  }
  // When the server asks for the body, a process has accepted the request.
  return new Promise((resolve) => socket.once('data', () => resolve({ finish })))
}

describe('two processes that answer requests', () => {
  let db: TestDatabase
  let service: Service
  beforeAll(async () => {
    db = await testDatabase()
    afterTests(() => db.close())
    const environment = {
      ...{ PORT: '0', DATABASE_URL: db.url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '4' },
      ...{ PORTICO_API_PROCESSES: '2', PORTICO_TRUSTED_PROXIES: 'loopback', PORTICO_LIMIT_ADDRESS: '100' },
    }
    service = await startService(environment, [], afterTests)
  })

  test('allow together exactly as many requests as the limit, and both answer', async () => {
    const pool = new Pool(service.address, { connections: 20 })
    /**
     * If an hour ends meanwhile, the requests were counted in two windows. Then the test repeats them from another
     * address.
     */
    const passing = async (address: string): Promise<number> => {
      const hour = Math.floor(Date.now() / 3_600_000)
      const ask = async () => {
        const headers = { 'x-forwarded-for': address }
        const answer = await pool.request({ path: '/users/me', method: 'GET', headers })
        await answer.body.dump()
        return answer.statusCode
      }
      const statuses = await Promise.all(Array.from({ length: 200 }, ask))
      expect(new Set(statuses)).toEqual(new Set([401, 429]))
      if (hour !== Math.floor(Date.now() / 3_600_000)) return passing(`${address}0`)
      return statuses.filter((status) => status === 401).length
    }
    expect(await passing('198.51.100.7')).toBe(100)
    await pool.close()
    expect(await processNumbers(service, 'getCurrentUser')).toEqual(new Set(['1', '2']))
  })

  test('are ready, and the metrics of one process include those of all', async () => {
    await expect
      .poll(() => getJson(`${service.address}/readyz`))
      .toMatchObject({ status: 200, body: { checks: { database: 'ok', workers: 'ok' } } })
    const text = await metricsOf(service)
    expect(text).toMatch(/^portico_api_processes\{state="running",thread="primary"\} 2$/m)
    expect(text).toMatch(/^portico_resident_memory_bytes\{thread="primary"\} \d+$/m)
    expect(text).toMatch(/^portico_job_seconds_count\{.*thread="worker".*\} \d+$/m)
    for (const number of [1, 2]) {
      expect(text).toMatch(
        new RegExp(`^portico_resident_memory_bytes\\{thread="api",process="${number}"\\} \\d+$`, 'm'),
      )
    }
  })

  test('continue to answer while a killed process is replaced, and each log line names its process', async () => {
    const [killed = 0, other] = processesOf(service)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => processesOf(service).filter((pid) => pid !== killed && pid !== other)).toHaveLength(1)
    // The new process starts meanwhile, which takes longer than the usual timeout of a poll.
    await expect
      .poll(() => metricsOf(service), { timeout: START_WITHIN_MS })
      .toMatch(/^portico_api_processes\{state="running",thread="primary"\} 2$/m)
    const replaced = () => service.output().match(/^.*"msg":"the process answers requests"\}$/gm) ?? []
    await expect.poll(replaced).toHaveLength(1)
    expect(await getJson(`${service.address}/healthz`)).toMatchObject({ status: 200 })
    const requests = service.output().match(/^\{.*"msg":"request"\}$/gm) ?? []
    expect(new Set(requests.map((line) => JSON.parse(line).process))).toEqual(new Set([1, 2]))
  })

  test('replace a process that ended in order after a signal', async () => {
    const [ended = 0] = processesOf(service)
    process.kill(ended, 'SIGTERM')
    await expect.poll(() => processesOf(service)).not.toContain(ended)
    await expect.poll(() => processesOf(service)).toHaveLength(2)
    await expect.poll(() => getJson(`${service.address}/readyz`)).toMatchObject({ status: 200 })
  })

  test('finish their requests before the service stops', async () => {
    const requests = await Promise.all([slowRequest(service), slowRequest(service)])
    const ended = service.end('SIGTERM')
    await expect.poll(service.output).toContain('"msg":"stopping"')
    const answers = await Promise.all(requests.map(({ finish }) => finish()))
    for (const answer of answers) expect(answer).toContain('client_id is missing')
    expect(await ended).toBe(0)
    expect(processesOf(service)).toEqual([])
  })
})
