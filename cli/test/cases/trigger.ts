import { expect, test } from 'vitest'
import { Connection, findConnection } from '../../src/connection/connection.ts'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { NOT_TRIGGERED, SCENARIOS } from '../../src/trigger/scenarios.ts'
import { Stage } from '../../src/trigger/stage.ts'
import { portico, projectFolder } from '../support/portico.ts'

const NO_VALUES = {
  demo: false,
  ...{ profile: undefined, app: undefined, mode: undefined, 'base-url': undefined },
}
const NO_ENVIRONMENT = {
  ...{ baseUrl: undefined, clientId: undefined, clientSecret: undefined, operatorKey: undefined, profile: undefined },
  ...{ noColor: false, columns: undefined, configDirectory: '', shell: '', browser: undefined },
}

export function triggerCases(demo: () => DemoFile): void {
  test('every event that the command can cause happens, and is in the app’s list of events', async () => {
    const directory = await projectFolder(demo())
    // The test plays the scenarios in its own process, because starting a process for each would be slow on a busy machine.
    const connection = new Connection(
      await findConnection({ values: NO_VALUES, environment: NO_ENVIRONMENT, directory }),
    )
    const listedNames = new Set<string>()
    for (const { play } of Object.values(SCENARIOS)) {
      await play(new Stage(connection, { offering: undefined, investor: undefined, amountCents: 25_000 }, () => {}))
    }
    const readMissing = async () => {
      const { data } = await connection.client('server').get('/events', { query: { per_page: 100 } })
      for (const { attributes } of data) listedNames.add(attributes.event)
      return Object.keys(SCENARIOS).filter((name) => !listedNames.has(name))
    }
    await expect.poll(readMissing).toEqual([])
  })

  test('without the operator’s key, the command rejects an event that needs the key and lists the events that do not, and each of these works', async () => {
    const key = demo().apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
    const [clientId, clientSecret] = [key?.client_id ?? '', key?.client_secret ?? '']
    const environment = { PORTICO_CLIENT_ID: clientId, PORTICO_CLIENT_SECRET: clientSecret }
    const directory = await projectFolder()
    const argv = ['trigger', 'offering.opened', '--base-url', demo().base_url]
    const rejected = await portico(argv, { directory, environment })
    expect([rejected.code, rejected.stdout]).toEqual([3, ''])
    expect(rejected.stderr).toMatch(
      /^error: portico trigger offering\.opened needs the operator’s key.*works without: investment\.created, /m,
    )
    const values = { ...NO_VALUES, 'base-url': demo().base_url }
    const connection = new Connection(
      await findConnection({ values, environment: { ...NO_ENVIRONMENT, clientId, clientSecret }, directory }),
    )
    for (const [name, { needsOperator, play }] of Object.entries(SCENARIOS)) {
      const stage = new Stage(connection, { offering: undefined, investor: undefined, amountCents: 25_000 }, () => {})
      if (needsOperator) continue
      await play(stage)
      expect(stage.steps.length, name).toBeGreaterThan(0)
    }
  })

  test('with an operator’s key but without a demo, installation.created and installation.revoked are rejected, and no installation is revoked', async () => {
    const key = demo().apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
    const keys = { clientId: key?.client_id, clientSecret: key?.client_secret, operatorKey: demo().operator_keys.test }
    const values = { ...NO_VALUES, 'base-url': demo().base_url }
    const environment = { ...NO_ENVIRONMENT, ...keys }
    const connection = new Connection(await findConnection({ values, environment, directory: await projectFolder() }))
    const stage = new Stage(connection, { offering: undefined, investor: undefined, amountCents: 25_000 }, () => {})
    const before = await stage.installations()
    for (const name of ['installation.created', 'installation.revoked']) {
      await expect(SCENARIOS[name]?.play(stage), name).rejects.toMatchObject({
        type: 'no_demo',
        remedy: expect.stringContaining(`/apps/${key?.client_id}/install`),
      })
    }
    expect([stage.steps, await stage.installations()]).toEqual([[], before])
  })

  test('prints the events that it caused, and says that the app receives the requested event', async () => {
    const directory = await projectFolder(demo())
    const { code, stdout, stderr } = await portico(['trigger', 'investment.canceled'], { directory })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /• a person invested in ofr_\w+: inv_\w+\n {2}→ investment.created {2}evt_\w+\n• the investment was canceled\n {2}→ investment.canceled {2}evt_\w+\n$/,
    )
    expect(stderr).toContain('Fieldbook CRM receives investment.canceled')
  })

  test('every event of the OpenAPI document, except test events, has a scenario or a reason to have none', async () => {
    const answer = await fetch(`${demo().base_url}/openapi.json`)
    const { webhooks } = (await answer.json()) as { webhooks: Record<string, unknown> }
    const named = [...Object.keys(SCENARIOS), ...Object.keys(NOT_TRIGGERED)]
    expect(named.toSorted()).toEqual(
      Object.keys(webhooks)
        .filter((name) => !name.includes('test'))
        .toSorted(),
    )
  })
}
