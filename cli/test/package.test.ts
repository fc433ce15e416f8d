import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { olderNode } from '../../sdk/test/older-node.ts'
import { packWorkspace } from '../../sdk/test/pack.ts'
import { EXIT } from '../src/failure.ts'

const run = promisify(execFile)
const olderNodePath = await olderNode()

/** The program of the tarball, unpacked into an empty folder. */
let program: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-cli-package-'))
  const empty = join(folder, 'empty')
  await mkdir(empty)
  await run('tar', ['-xzf', await packWorkspace('cli', folder), '-C', empty])
  program = join(empty, 'package/bin/portico.js')
}, 180_000)
afterAll(() => rm(folder, { recursive: true }))

describe('the published command line, in an empty folder', () => {
  test('depends only on the PostgreSQL driver', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'empty/package/package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['pg'])
    expect(manifest).not.toHaveProperty('scripts')
  })

  test('one of the versions 20 to 22 of Node is on the path if CI requires it', () => {
    expect(olderNodePath !== undefined || process.env['PORTICO_TEST_NODE20'] !== 'required').toBe(true)
  })

  const nodes = [
    ['this Node', process.execPath],
    ...(olderNodePath === undefined ? [] : [['an older Node', olderNodePath]]),
  ]
  test.each(nodes as [string, string][])(
    'prints its help in %s, and an error for a service that does not run',
    async (_, node) => {
      const { stdout } = await run(node, [program, '--help'])
      expect(stdout).toMatch(/^Usage: portico COMMAND/)
      const attempt = run(node, [program, 'events', 'list', '--base-url', 'http://127.0.0.1:1'], {
        env: { ...process.env, PORTICO_CONFIG: folder, PORTICO_CLIENT_ID: 'pk_test_x', PORTICO_CLIENT_SECRET: 'x' },
      })
      await expect(attempt).rejects.toMatchObject({
        code: EXIT.unreachable,
        stderr: expect.stringContaining('error: '),
      })
    },
  )
})
