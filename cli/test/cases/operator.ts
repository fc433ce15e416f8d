import { expect, test } from 'vitest'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { portico, projectFolder } from '../support/portico.ts'

export function operatorCases(demo: () => DemoFile): void {
  const run = async (...argv: string[]) => portico(['operator', ...argv], { directory: await projectFolder(demo()) })
  const json = async (...argv: string[]) => {
    const { code, stdout } = await run(...argv, '--json')
    return { code, ...JSON.parse(stdout) }
  }

  test('shows apps, one app with its history, and accounts, and ends with exit code 4 for an unknown fact', async () => {
    const { data } = await json('apps')
    const id = demo().apps[0]?.id ?? ''
    expect(data.map((app: { id: string }) => app.id)).toContain(id)
    expect(await json('apps', id)).toMatchObject({ code: 0, id, attributes: { status: 'active' } })
    expect((await run('apps')).stdout).toMatch(new RegExp(`^${id}\\t`, 'm'))
    expect(await json('history', id)).toMatchObject({ code: 0, data: expect.any(Array) })
    const { developer } = demo().people
    const found = await json('accounts', '--search', developer.email, '--mode', 'live')
    expect(found.data).toMatchObject([{ attributes: { email: developer.email } }])
    expect(await run('fact', 'never-sent')).toMatchObject({ code: 4 })
  })

  test('shows what each app waits for, and with --open-requests only the apps that wait', async () => {
    const waiting = async (...argv: string[]) =>
      (await run('apps', ...argv)).stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([id, , , , , request]) => [id, request])
    const all = await waiting()
    expect(await waiting('--open-requests')).toEqual(all.filter(([, request]) => request !== '–'))
    expect(all.map(([, request]) => request)).toEqual(expect.arrayContaining(['–', 'approval']))
  })

  test('the key of an app stops working when the app is suspended, and works again when the suspension is lifted', async () => {
    const [app] = demo().apps
    const id = app?.id ?? ''
    const events = async () => portico(['events', 'list'], { directory: await projectFolder(demo()) })
    const suspended = await json('suspend', id, '--reason', 'A test', '--mode', 'live')
    expect(suspended).toMatchObject({
      code: 0,
      attributes: { status: 'suspended', suspended_reason: 'A test' },
    })
    expect((await events()).code).toBe(3)
    expect(await json('lift', id, '--mode', 'live')).toMatchObject({ code: 0, attributes: { status: 'active' } })
    expect((await events()).code).toBe(0)
  })

  test('rejects the test key, a missing reason, an unknown app and an app’s own key', async () => {
    const id = demo().apps[0]?.id ?? ''
    const cases: [string[], number, string][] = [
      [['approve', id], 2, 'Add --mode live.'],
      [['suspend', id, '--mode', 'live'], 2, 'Add --reason'],
      [['apps', 'app_unknown'], 4, 'error: '],
    ]
    for (const [argv, exit, sentence] of cases) {
      const { code, stdout, stderr } = await run(...argv)
      expect([argv, code, stdout]).toEqual([argv, exit, ''])
      expect(stderr).toContain(sentence)
    }
    const environment = {
      PORTICO_CLIENT_ID: 'pk_test_x',
      PORTICO_CLIENT_SECRET: 'x',
      PORTICO_BASE_URL: demo().base_url,
    }
    const asApp = await portico(['operator', 'apps'], { directory: await projectFolder(), environment })
    expect([asApp.code, asApp.stderr]).toEqual([3, expect.stringContaining('This command needs the operator’s key')])
  })
}
