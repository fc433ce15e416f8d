import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointStage, endpointIn, endpointsIn, openEndpointStage } from '../testing/endpoint-stage.ts'

let stage: EndpointStage
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())

const wanted = (more: object = {}) => ({ url: 'https://hooks.example.com/', events: ['investment.created'], ...more })
const TEN = Array.from({ length: 10 }, (_, n) => n)

describe('requests at the same time', () => {
  test('only one of ten requests gets the last place in the quota', async () => {
    const { send } = await stage.team()
    for (let n = 0; n < 9; n++) await send.test('POST', '/webhook_endpoints', wanted())
    const responses = await Promise.all(TEN.map(() => send.test('POST', '/webhook_endpoints', wanted())))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
    expect(endpointsIn(await send.test('GET', '/webhook_endpoints'))).toHaveLength(10)
  })

  test('ten requests with one Idempotency-Key create one endpoint and get the same secret', async () => {
    const { send } = await stage.team()
    const key = { 'idempotency-key': 'ten-at-once' }
    const responses = await Promise.all(TEN.map(() => send.test('POST', '/webhook_endpoints', wanted(), key)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map((response) => endpointIn(response).attributes['secret'])).size).toBe(1)
    expect(endpointsIn(await send.test('GET', '/webhook_endpoints'))).toHaveLength(1)
  })

  test('an endpoint that is created while its installation is revoked is rejected or disabled, never left enabled', async () => {
    const team = await stage.team()
    const founder = await stage.person()
    const installing = await stage.as(team.test, founder)
    for (let round = 0; round < 5; round++) {
      const target_id = await stage.company({ founder })
      const { data } = await installing('POST', '/installations', { target_type: 'company', target_id })
      const body = wanted({ installation_id: data.id })
      await Promise.all([
        ...[1, 2, 3].map(() => team.send.test('POST', '/webhook_endpoints', body)),
        installing('DELETE', `/installations/${data.id}`),
      ])
    }
    const states = endpointsIn(await team.send.test('GET', '/webhook_endpoints')).map(
      ({ attributes }) => attributes['enabled'],
    )
    expect(states).toEqual(states.map(() => false))
  })

  test('an endpoint that is patched, rotated, enabled and deleted at once is removed in the end, without a 500', async () => {
    const { send } = await stage.team()
    const { id } = endpointIn(await send.test('POST', '/webhook_endpoints', wanted()))
    const responses = await Promise.all([
      ...TEN.map((n) => send.test('PATCH', `/webhook_endpoints/${id}`, { url: `https://hooks.example.com/${n}` })),
      send.test('POST', `/webhook_endpoints/${id}/rotate_secret`),
      send.test('POST', `/webhook_endpoints/${id}/reenable`),
      send.test('DELETE', `/webhook_endpoints/${id}`),
      send.test('DELETE', `/webhook_endpoints/${id}`),
    ])
    expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual([])
    expect(
      responses
        .slice(-2)
        .map(({ status }) => status)
        .sort(),
    ).toEqual([200, 404])
    expect((await send.test('GET', `/webhook_endpoints/${id}`)).status).toBe(404)
  })
})
