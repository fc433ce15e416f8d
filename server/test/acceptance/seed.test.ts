import { beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from './command.ts'
import { startService, temporaryDirectory } from './service.ts'

let environment: Record<string, string>
beforeEach(async () => {
  environment = { PORT: '0', PORTICO_DATA: await temporaryDirectory(), LOG_LEVEL: 'warn' }
})

describe('npm run seed', () => {
  test('fills a world with the service stopped and beside it, up to the number given', async () => {
    const first = await runCommand('seed', environment, ['--investments', '300', '--world', 'live'])
    expect(first).toMatchObject({ code: 0, stdout: '' })
    expect(first.stderr).toContain('300 of 300 investments')

    await startService(environment)
    const more = await runCommand('seed', environment, ['--investments', '500', '--world', 'live', '--events'])
    expect(more.stderr).toContain('200 investments added to the live world')
    const again = await runCommand('seed', environment, ['--investments', '500', '--world', 'live'])
    expect(again).toMatchObject({ code: 0 })
    expect(again.stderr).toContain('has 500 seeded investments already')
  })

  test.each([
    [['--investments', '1000001']],
    [['--investments', '0']],
    [['--investments', 'many']],
    [['--investments', '10', '--world', 'moon']],
    [['--investments', '10', 'more']],
    [[]],
  ])('%j: exit code 2 and how it is meant, before any database is touched', async (argv) => {
    const result = await runCommand('seed', environment, argv)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('npm run seed -- --investments N')
  })
})
