import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { open, user } from './access.ts'
import { route } from './route.ts'
import { CALLERS } from './testing/callers.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe, respondsOk } from './testing/probe-route.ts'
import { sendRaw } from './testing/raw-http.ts'

let edge: ProbeApp
beforeAll(async () => {
  edge = await serveProbes([
    route({ ...probe, ...respondsOk, operation: 'own', method: 'GET', path: '/own/:id', access: user('read:profile') }),
    route({
      ...probe,
      operation: 'make',
      method: 'POST',
      path: '/make',
      access: user('write:things'),
      schema: { body: Type.Object({ email: Type.String({ maxLength: 3 }) }), response: { 200: Ok } },
      handler: respondsOk.handler,
    }),
    route({
      ...probe,
      operation: 'refuse',
      method: 'GET',
      path: '/refuse',
      access: open('a probe'),
      schema: { response: { 200: Ok } },
      handler: async () => {
        throw new ApiError('forbidden', { public: 'No.', internal: 'the rule of the probe' })
      },
    }),
    route({
      ...probe,
      operation: 'answerNo',
      method: 'GET',
      path: '/answer-no',
      access: open('a probe'),
      schema: { response: { 400: Type.Object({ error_description: Type.String() }) } },
      handler: async () => ({ status: 400, body: { error_description: 'some words' }, refusal: 'invalid_grant' }),
    }),
  ])
})
afterAll(() => edge.close())

/** The log line of one request. It is written when the connection has finished the request. */
async function lineOf(response: Response): Promise<Record<string, unknown>> {
  await response.text()
  const id = response.headers.get('x-request-id') ?? ''
  const find = () => edge.logLines.filter((line) => line.includes(id))
  await expect.poll(find).toHaveLength(1)
  return JSON.parse(find()[0] ?? '')
}

describe('the line of a request', () => {
  test('has the caller, the operation, the status and the duration', async () => {
    const line = await lineOf(
      await fetch(`${edge.url}/api/v2/own/1?a=b`, { headers: { authorization: 'Bearer at_test_user' } }),
    )
    expect(line).toMatchObject({
      level: 30,
      operation: 'own',
      method: 'GET',
      route: '/own/:id',
      status: 200,
      duration_ms: expect.any(Number),
      caller: 'user',
      app_id: CALLERS.at_test_user.appId,
      world: 'test',
    })
    expect(edge.observed).toContainEqual({ operation: 'own', status: 200 })
  })

  test('has the internal reason of a rejection', async () => {
    expect(await lineOf(await fetch(`${edge.url}/refuse`))).toMatchObject({
      status: 403,
      error_type: 'forbidden',
      internal: 'the rule of the probe',
    })
  })

  test('has the error code of another protocol, if the route uses one', async () => {
    const line = await lineOf(await fetch(`${edge.url}/answer-no`))
    expect(line).toMatchObject({ level: 30, status: 400, error_type: 'invalid_grant' })
    expect(JSON.stringify(line)).not.toContain('some words')
  })

  test('is also written for unknown paths', async () => {
    expect(await lineOf(await fetch(`${edge.url}/nowhere`))).toMatchObject({
      operation: null,
      route: null,
      status: 404,
    })
    expect(edge.observed).toContainEqual({ operation: 'unmatched', status: 404 })
  })
})

describe('the log as a whole', () => {
  test('contains nothing that a client sent in headers, query, path, body or a malformed request', async () => {
    const secret = 'S3CRETvalue'
    const headers = {
      authorization: `Bearer ${secret}`,
      cookie: secret,
      'x-request-id': secret,
      'idempotency-key': secret,
      'user-agent': secret,
    }
    const authorized = { ...headers, authorization: 'Bearer at_test_user' }
    const json = { ...authorized, 'content-type': 'application/json' }
    const responses = [
      await fetch(`${edge.url}/own/${secret}?token=${secret}`, { headers }),
      await fetch(`${edge.url}/own/${secret}?token=${secret}`, { headers: authorized }),
      await fetch(`${edge.url}/${secret}`, { headers }),
      await fetch(`${edge.url}/own/${secret}`, { method: 'PATCH', headers }),
      await fetch(`${edge.url}/own/%zz${secret}`, { headers }),
      await fetch(`${edge.url}/make`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: secret, [secret]: 1 }),
      }),
      await fetch(`${edge.url}/make`, { method: 'POST', headers: json, body: `{${secret}` }),
      await fetch(`${edge.url}/make`, { method: 'POST', headers: { ...json, 'content-type': secret }, body: secret }),
      await fetch(`${edge.url}/own/1`, { headers: { ...authorized, 'wefunder-version': secret } }),
    ]
    await sendRaw(edge.port, `GET /${secret} HTTP/1.1\r\nHost: x\r\nbad ${secret}\r\n\r\n`)
    await sendRaw(edge.port, `GET /?${secret.repeat(2_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    for (const result of responses) await lineOf(result)
    expect(edge.logLines.join('')).not.toContain(secret)
    expect(edge.logLines.join('')).not.toContain('127.0.0.1')
  })
})
