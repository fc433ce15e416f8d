import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { olderNode } from '../../sdk/test/older-node.ts'
import { plainEnvironment, portico, projectFolder } from './support/portico.ts'

const BIN = fileURLToPath(new URL('../bin/portico.js', import.meta.url))
const olderNodePath = await olderNode()

/** Starts a service that begins a stream for every request, and records the headers of the requests. */
async function openService() {
  const requests: IncomingHttpHeaders[] = []
  let open = 0
  const server = createServer((request, response) => {
    requests.push(request.headers)
    open += 1
    response.once('close', () => {
      open -= 1
    })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 60000\nid: first\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, open: () => open }
}

test('the token of a profile is only sent to the address of the profile', async () => {
  const directory = await projectFolder()
  const service = await openService()
  const profile = { base_url: 'https://api.example', token: 'portico_cli_secret', email: 'ada@example.org', keys: {} }
  const configuration = join(directory, '.config/portico')
  await mkdir(configuration, { recursive: true })
  const text = JSON.stringify({ default: { ...profile, app: null, expires_at: '2100-01-01T00:00:00Z' } })
  await writeFile(join(configuration, 'profiles.json'), text, { mode: 0o600 })
  for (const argv of [
    ['apps', 'list'],
    ['logs', 'tail', '--once'],
    ['events', 'list'],
  ]) {
    const { code } = await portico([...argv, '--base-url', service.url], { directory })
    expect(code).toBe(3)
  }
  expect(service.requests).toEqual([])
})

const interpreters = [process.execPath, ...(olderNodePath === undefined ? [] : [olderNodePath])]

test.each(interpreters)('after kill -9 under %s, no second process is left', async (interpreter) => {
  const directory = await projectFolder()
  const service = await openService()
  const environment = { PORTICO_CLIENT_ID: 'pk_test_x', PORTICO_CLIENT_SECRET: 'x' }
  const child = spawn(interpreter, [BIN, 'listen', '--base-url', service.url], {
    ...{ cwd: directory, env: plainEnvironment({ directory, environment }), stdio: 'ignore' },
  })
  await expect.poll(service.open).toBe(1)
  child.kill('SIGKILL')
  await expect.poll(service.open).toBe(0)
})
