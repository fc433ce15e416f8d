import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { seeded } from '../../server/test/prove/random.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { startProxy } from '../ha/haproxy.ts'
import { missingDeliveries } from '../support/deliveries.ts'
import { factLoad, lostFacts } from '../support/facts.ts'
import { bearer, call, Statuses } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { commonSettings, PorticoNode, presentRelease, runCommand, type Settings } from '../support/portico.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Check } from '../support/report-checks.ts'
import { logStep } from '../support/run.ts'
import { makeDemo, setStage } from '../support/stage.ts'
import { tokenLoad } from '../support/tokens.ts'

const BETWEEN_MS = 2_000
const secret = () => randomBytes(36).toString('base64')

/**
 * Rotates the sealing secret, the password of the database and an operator key, while facts, deliveries and tokens
 * continue.
 */
export async function rotateSecrets(machine: Machine, receiver: Receiver): Promise<readonly Check[]> {
  const release = await presentRelease(machine)
  const server = await PostgresServer.create(machine, 'postgres')
  const passwords = { old: randomBytes(12).toString('hex'), next: randomBytes(12).toString('hex') }
  await server.requirePassword(passwords.old)
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = commonSettings(server.urlWith(passwords.old), baseUrl)
  const node = async (name: string, role: 'api' | 'worker') =>
    new PorticoNode(machine, release, settings, { name, role, port: await freePort() })
  const api = [await node('api1', 'api'), await node('api2', 'api')]
  const nodes = [...api, await node('worker1', 'worker')]
  await startProxy(machine, { api: { port, servers: api } })
  logStep('making the demo world and starting two API processes and a worker')
  const demo = await makeDemo(machine, release, { settings, port: await freePort() })
  for (const each of nodes) each.launch()
  await Promise.all(nodes.map((each) => each.ready()))
  const stage = await setStage(baseUrl, demo, receiver)

  const statuses = new Statuses()
  const isOver = { now: false }
  const over = () => isOver.now
  const random = seeded(1)
  const facts = factLoad(stage, statuses)
  const tokens = tokenLoad(stage, [{ name: 'the proxy', url: baseUrl }], statuses)
  const working = Promise.all([facts.write(random.fork(), 150, over), tokens.work(random.fork(), over)])
  working.catch(() => {})
  const exits: string[] = []
  const onEveryNode = async (what: string, changed: Settings) => {
    logStep(what)
    for (const each of nodes) {
      const code = await each.replace(release, changed)
      if (code !== 0) exits.push(`${each.name} ended with ${code}`)
      await wait(BETWEEN_MS)
    }
  }

  const [first, second] = [settings['PORTICO_SECRET'] ?? '', secret()]
  await onEveryNode('the next sealing secret opens values', { PORTICO_PREVIOUS_SECRETS: second })
  await onEveryNode('the next sealing secret seals values', { PORTICO_SECRET: second, PORTICO_PREVIOUS_SECRETS: first })
  await server.sql(`alter role portico password '${passwords.next}'`)
  await onEveryNode('the next password of the database', { DATABASE_URL: server.urlWith(passwords.next) })

  logStep('another operator key')
  const running = { ...settings, DATABASE_URL: server.urlWith(passwords.next), PORTICO_SECRET: second }
  const create = ['create', '--world', 'test', '--name', 'after the rotation']
  const nextKey = (await runCommand(machine, release, { name: 'operator-key', args: create, settings: running })).trim()
  const later = factLoad({ ...stage, operatorKey: nextKey }, statuses)
  const writing = later.write(random.fork(), 150, over)
  await wait(BETWEEN_MS)
  isOver.now = true
  await Promise.all([working, writing])
  const listed = await runCommand(machine, release, { name: 'operator-key', args: ['list'], settings: running })
  const oldId = listed
    .split('\n')
    .find((line) => / test /.test(line) && !line.includes('after the rotation'))
    ?.split(/\s+/)[0]
  await runCommand(machine, release, { name: 'operator-key', args: ['revoke', oldId ?? ''], settings: running })
  const rejected = await call(new Statuses(), `${baseUrl}/platform/facts/none`, { headers: bearer(stage.operatorKey) })

  logStep('checking the results')
  const acknowledged = [...facts.acknowledged, ...later.acknowledged]
  const failed = [...statuses.failures]
  await tokens.useAllTokens()
  const lost = await lostFacts({ ...stage, operatorKey: nextKey }, acknowledged, statuses)
  const delivered = await missingDeliveries(stage, acknowledged, { receiver, statuses })
  return [
    ['requests failed', statuses.total, failed],
    ['processes that did not end with 0 after SIGTERM', nodes.length * 3, exits],
    ['acknowledged facts lost', acknowledged.length, lost],
    ['facts rejected', acknowledged.length, [...facts.refused, ...later.refused]],
    ['entitled deliveries lost', delivered.entitled, delivered.missing],
    ['deliveries with a wrong signature', receiver.received.size, receiver.faults],
    ['tokens in the wrong state accepted or rejected', tokens.issued, tokens.faults],
    ['a revoked operator key accepted', 1, rejected.status === 401 ? [] : [String(rejected.status)]],
  ]
}
