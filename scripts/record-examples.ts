import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { isRef, type OpenApiDocument, type Operation } from '../server/src/http/openapi-types.ts'
import { scriptOptions } from '../server/src/main/command-line.ts'
import { type Cast, callInstallations, callUserOperations, castOf, type Demo, idOf } from './examples/calls.ts'
import { startDemo } from './examples/demo-service.ts'
import { callPortal } from './examples/portal-calls.ts'
import { pseudonyms } from './examples/pseudonyms.ts'
import { hasNoExample, type Recorded, Recorder } from './examples/recorder.ts'
import { callSandbox } from './examples/sandbox-calls.ts'
import { callSyndicates } from './examples/syndicate-calls.ts'
import { callAppTeam } from './examples/team-calls.ts'

scriptOptions(
  {},
  `Usage: npm run generate:examples

Starts the service with its demo world, makes every call once, and writes requests and answers to
server/openapi-examples.json. npm run generate copies them into the OpenAPI document. Ids, times and secrets are
replaced, so that the file changes only when the API does. If no call reaches an operation, its example stays as it was,
and the output names the operation. PORTICO_EXAMPLES_DATA names a data directory in which a service with the demo is
running already.

Examples:

  npm run generate:examples && npm run generate
  PORTICO_EXAMPLES_DATA=.portico npm run generate:examples
`,
)

const ROOT = join(import.meta.dirname, '..')
const TARGET = join(ROOT, 'server/openapi-examples.json')

const running = await startDemo({ data: process.env['PORTICO_EXAMPLES_DATA'] })
const payloads = new Map<string, unknown>()
const hooks = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
try {
  const { demo } = running
  const startedMs = Date.now()
  const document = (await (await fetch(`${demo.base_url}/openapi.json`)).json()) as OpenApiDocument
  const recorder = new Recorder(demo.base_url, document)
  const hookUrl = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/hooks`
  const cast = await castOf(recorder, demo, hookUrl)
  const listener = await listenToEverything(cast, `${hookUrl}/all`, Object.keys(document.webhooks))
  await callUserOperations(recorder, cast)
  await callInstallations(recorder, cast)
  await callSyndicates(recorder, cast)
  await callPortal(recorder, cast)
  await callAppTeam(recorder, cast)
  const known = { ...knownIds(demo), client_id: cast.client.client_id, q: 'bright', version: '2026-11-01' }
  await recorder.callRest((place) => credentialFor(place.operation, cast), known)
  await callSandbox(recorder, cast)
  const events = Object.keys(document.webhooks)
  const tests = await testPayloads(cast, listener, events)
  // The clock is advanced last, because this ends tokens. Sessions and intents expire, and a week of referrals is published.
  await recorder.call('advanceSandboxClock', { as: cast.operator, body: { advance: 'P8D' } })
  await fillPayloads(tests, events)
  addUnready(recorder)
  const hide = pseudonyms({ base: demo.base_url, hookUrl, startedMs, ids: Object.values(demo.ids) })
  const sorted = (all: ReadonlyMap<string, unknown>) =>
    Object.fromEntries([...all].map(([name, one]) => [name, hide(one)] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
  const { operations: before } = JSON.parse(await readFile(TARGET, 'utf8')) as { operations: Examples }
  const made = sorted(recorder.recorded) as Examples
  const operations = completed(recorder, made, before)
  const examples = { operations, webhooks: sorted(payloads) }
  await writeFile(TARGET, `${JSON.stringify(examples, null, 2)}\n`)
  report(
    recorder,
    Object.keys(operations).filter((name) => made[name] === undefined),
  )
} finally {
  hooks.close()
  await running.stop()
}

/**
 * Adds the earlier examples that this run did not record: of operations without a call, of parameters that no call sends, and of
 * statuses that cannot be produced on demand. Examples that the document no longer has are left out.
 */
function completed(recorder: Recorder, made: Examples, before: Examples): Examples {
  const entries = recorder.operations().flatMap(({ operation: { operationId, parameters = [], responses } }) => {
    const [now, earlier] = [made[operationId], before[operationId]]
    if (now === undefined || earlier === undefined) return [[operationId, now ?? earlier] as const]
    const names = parameters.flatMap((one) => (isRef(one) ? [] : [one.name]))
    const merged = {
      parameters: { ...pick(earlier.parameters, names), ...now.parameters },
      ...(now.body === undefined ? {} : { body: now.body }),
      responses: { ...pick(earlier.responses, Object.keys(responses)), ...now.responses },
    }
    return [[operationId, merged] as const]
  })
  const known = entries.filter((entry): entry is readonly [string, Recorded] => entry[1] !== undefined)
  return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Examples = Readonly<Record<string, Recorded>>

/** The entries with these names. An example that was written by hand may lack all entries, so the default is empty. */
function pick(all: Readonly<Record<string, unknown>> = {}, names: readonly string[] = []) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** Receives deliveries. The first payload of each event becomes its example. Payloads of test sends are left out. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const payload = JSON.parse(await text(request)) as { id: string; event: string }
  const isTest = payload.id.startsWith('evt_test_')
  if (!isTest && !payloads.has(payload.event)) payloads.set(payload.event, payload)
  response.end('ok')
}

/** Creates an endpoint that receives all events of the app until the recording ends. Returns its id. */
async function listenToEverything({ demo, tokens }: Cast, url: string, events: string[]): Promise<string> {
  const headers = { authorization: `Bearer ${tokens.developer}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url, events })
  const answer = await fetch(`${demo.base_url}/webhook_endpoints`, { method: 'POST', headers, body })
  return idOf((await answer.json()) as Parameters<typeof idOf>[0])
}

/** Payloads of test sends, for events that the demo does not cause. */
async function testPayloads({ demo, tokens }: Cast, endpoint: string, events: readonly string[]) {
  const headers = { authorization: `Bearer ${tokens.developer}`, 'content-type': 'application/json' }
  const url = `${demo.base_url}/webhook_endpoints/${endpoint}/test`
  const made = new Map<string, unknown>()
  for (const event of events) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ event }) })
    const { data } = (await answer.json()) as { data?: { payload?: unknown } }
    if (data?.payload !== undefined) made.set(event, data.payload)
  }
  return made
}

/** Waits for the last deliveries, then adds test payloads for the events that are still missing. */
async function fillPayloads(tests: ReadonlyMap<string, unknown>, events: readonly string[]): Promise<void> {
  await setTimeout(5_000)
  for (const event of events.filter((name) => !payloads.has(name))) {
    process.stdout.write(`${event} did not happen; its example is the payload of a test send\n`)
    if (tests.has(event)) payloads.set(event, asDelivered(tests.get(event)))
  }
}

/**
 * Converts the payload of a test send to the form of a delivery: its id has no `_test_`, and its installation is one of the
 * demo.
 */
function asDelivered(test: unknown): unknown {
  const real = [...payloads.values()].find((one) => typeof one === 'object' && one !== null && 'installation' in one)
  const { installation } = (real ?? {}) as { installation?: unknown }
  const payload = { ...(test as { id: string; installation?: unknown }) }
  const through = payload.installation === undefined ? {} : { installation }
  return { ...payload, id: payload.id.replace('_test_', '_'), ...through }
}

/** A service that is not ready cannot be produced on demand, so this example is written by hand. */
function addUnready({ recorded }: Recorder): void {
  const known = recorded.get('getReadiness')
  const ready = known?.responses['200']
  if (known === undefined || typeof ready !== 'object' || ready === null || !('checks' in ready)) return
  const checks = { ...(ready.checks as object), workers: 'silent' }
  known.responses['503'] = { ...ready, status: 'not_ready', checks }
}

function report(recorder: Recorder, notCalled: readonly string[]): void {
  for (const problem of recorder.problems) process.stderr.write(`${problem}\n`)
  const missing = recorder
    .operations()
    .filter(({ operation }) => !hasNoExample(operation) && !recorder.recorded.has(operation.operationId))
    .filter(({ operation: { operationId } }) => !notCalled.includes(operationId))
  for (const name of notCalled) process.stdout.write(`${name} was not called; its example stays as it was\n`)
  for (const { method, path, operation } of missing) {
    process.stderr.write(
      `no example of ${operation.operationId} (${method.toUpperCase()} ${path}): add a call to scripts/examples\n`,
    )
  }
  process.stdout.write(`wrote ${recorder.recorded.size} examples to ${TARGET}\n`)
  if (recorder.problems.length + missing.length > 0) process.exitCode = 1
}

function knownIds({ ids }: Demo): Record<string, string> {
  const { company = '', offering_public = '', syndicate = '' } = ids
  return { company_id: company, id: company, offering_id: offering_public, syndicate_id: syndicate }
}

function credentialFor({ 'x-access': access }: Operation, cast: Awaited<ReturnType<typeof castOf>>) {
  if (access === undefined || 'open' in access) return undefined
  if ('session' in access) return cast.developer
  const { holders } = access
  if (holders.includes('publishable')) return cast.client.client_id
  if (holders.includes('user')) return cast.tokens.founder
  return holders.includes('operator') ? cast.operator : undefined
}
