import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { changeDetails, hideInvestment, recordInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import type { TestDatabase } from '#test/database.ts'
import { publishAll } from '#test/ledger.ts'
import { type RunningCommand, startProgram } from '../../acceptance/command.ts'
import { createFixedData, type FixedData } from './fixed-data.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { oneByOneDatabase } from './one-by-one.ts'
import { startServer } from './servers.ts'

let db: TestDatabase
let fixed: FixedData
let investment: Id<'investment'>
beforeAll(async () => {
  db = await oneByOneDatabase()
  fixed = await createFixedData(db, { companies: 1, readers: 1, investors: 3 })
  for (let at = 0; at < 3; at++) investment = await invest()
})
afterAll(() => db.close())

async function invest(): Promise<Id<'investment'>> {
  const [offering, investor] = [fixed.offerings[0]?.id, fixed.investors[2]]
  if (offering === undefined || investor === undefined) throw new Error('the fixed records are missing')
  const input = { id: newId('investment'), offering, investor, amount_cents: 25_000 as Cents }
  await db.databases.test.transaction((tx) => recordInvestment(tx, input, occasionAt()))
  await publishAll(db.databases.test)
  return input.id
}

async function serve(mutant?: Mutant): Promise<string> {
  const faults = mutant?.reading?.(async () => {}) ?? {}
  const server = await startServer({ databaseUrl: db.url, secret: 'ab'.repeat(32), faults })
  onTestFinished(() => server.kill())
  return server.url
}

const CLI = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url))

/**
 * Runs `npm run verify-sync`, which is a command of the CLI. It runs in a folder of the tests, because in the folder of
 * the repository it would use the demo that an earlier `npm start` left there.
 */
function run(argv: string[]): RunningCommand {
  const directory = inject('sharedDirectory')
  return startProgram([CLI, 'verify-sync', ...argv], { PORTICO_CONFIG: directory }, directory)
}

function verify(baseUrl: string, seconds: number, token = tokenOf()): RunningCommand {
  return run(['--base-url', baseUrl, '--token', token, '--seconds', String(seconds)])
}

function tokenOf(): string {
  const found = fixed.tokens.find(({ who, pii }) => who.kind === 'company' && pii)
  if (found === undefined) throw new Error('the fixed records are missing')
  return found.bearer
}

/** Resolves once the command has printed that its listing is complete. */
async function listed({ child }: RunningCommand): Promise<void> {
  let output = ''
  while (!output.includes('Listed')) output += String((await once(child.stderr ?? process.stdin, 'data'))[0])
}

describe('npm run verify-sync', () => {
  test('ends with 0 if the synced copy equals a new listing', async () => {
    const command = verify(await serve(), 2)
    await listed(command)
    await invest()
    await db.databases.test.transaction((tx) => changeDetails(tx, { id: investment, message: 'more' }, occasionAt()))
    await publishAll(db.databases.test)
    const { code, stdout, stderr } = await command.ended
    expect([code, stdout]).toEqual([0, 'Equal: the copy and a new listing of 4 investments.\n'])
    expect(stderr).toMatch(/Applied [1-9]\d* changes?, including 0 tombstones\./)
  })

  test('ends with 6 and prints the record if a server sends no tombstone for it', async () => {
    const forgetful = MUTANTS.find(({ name }) => name === 'tombstones are dropped')
    expect(forgetful).toBeDefined()
    const command = verify(await serve(forgetful), 3)
    await listed(command)
    await db.databases.test.transaction((tx) => hideInvestment(tx, { id: investment }, occasionAt()))
    const id = await invest()
    const { code, stdout } = await command.ended
    expect([code, stdout.includes(id)]).toEqual([6, false])
    expect(stdout).toBe(`${investment}\tonly in the copy\nNot equal: 1 record of 4.\n`)
  })

  test('ends with 0 after a 429, a 503 and a 410 too', async () => {
    const refusals = [429, 503, 0, 0, 410]
    const { code, stdout } = await verify(await inFrontOf(await serve(), refusals), 1).ended
    expect([code, stdout]).toEqual([0, expect.stringContaining('Equal: ')])
    expect(refusals).toEqual([])
  })

  test('ends with 3 and prints the server’s message if it rejects the token, or what to do if there is no token', async () => {
    const url = await serve()
    const { code, stderr } = await verify(url, 1, 'at_test_nobody').ended
    expect([code, stderr]).toEqual([3, expect.stringContaining('error: ')])
    const without = await run(['--base-url', url]).ended
    expect([without.code, without.stderr]).toEqual([3, expect.stringContaining('There is no test server key')])
  })
})

/**
 * Starts a server that answers the first requests with these statuses, in order. For the status 0 it forwards the
 * request. It forwards all later requests too.
 */
async function inFrontOf(url: string, refusals: number[]): Promise<string> {
  const server = createServer((request, response) => {
    const status = refusals.shift() ?? 0
    if (status !== 0) {
      response.writeHead(status, { 'retry-after': '0' }).end('{}')
      return
    }
    const headers = { authorization: request.headers.authorization ?? '' }
    fetch(url + request.url, { headers }).then(
      async (answer) => response.writeHead(answer.status).end(await answer.text()),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
