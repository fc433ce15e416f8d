import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from './command.ts'
import { startService, temporaryDirectory } from './service.ts'

const environmentAt = (data: string) => ({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn' })

/** The test starts four processes, and the first creates a database. */
const LONG = { timeout: 120_000 }

describe('npm run seed', () => {
  test(
    'adds investments to a world up to the given number, while the service is stopped or running',
    LONG,
    async () => {
      const environment = environmentAt(await temporaryDirectory())
      const first = await runCommand('seed', environment, ['--investments', '300', '--world', 'live'])
      expect(first).toMatchObject({ code: 0, stdout: '' })
      expect(first.stderr).toContain('300 of 300 investments')

      await startService(environment)
      const more = await runCommand('seed', environment, ['--investments', '500', '--world', 'live', '--events'])
      expect(more.stderr).toContain('200 investments added to the live world')
      const again = await runCommand('seed', environment, ['--investments', '500', '--world', 'live'])
      expect(again).toMatchObject({ code: 0 })
      expect(again.stderr).toContain('has 500 seeded investments already')
    },
  )

  test('ends with exit code 2 and the usage if the number is too large, before it opens a database', async () => {
    const data = join(await temporaryDirectory(), 'data')
    const result = await runCommand('seed', environmentAt(data), ['--investments', '1000001'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('npm run seed -- --investments N')
    expect(existsSync(data)).toBe(false)
  })
})
