import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { embeddedSecret } from './database-server.ts'

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-secret-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

test('the sealing secret is created once, stored, and readable by its owner only', async () => {
  const home = join(await emptyDirectory(), 'not', 'there', 'yet')
  const first = await embeddedSecret(home)
  expect(first.length).toBeGreaterThanOrEqual(64)
  expect(await embeddedSecret(home)).toBe(first)
  expect((await stat(join(home, 'secret'))).mode & 0o777).toBe(0o600)
})

test('ten first starts at once create one secret and leave no temporary files', async () => {
  const home = await emptyDirectory()
  const secrets = await Promise.all(Array.from({ length: 10 }, () => embeddedSecret(home)))
  expect(new Set(secrets).size).toBe(1)
  expect(await readdir(home)).toEqual(['secret'])
})

test('the file of the sealing secret gets its mode back if others could read it', async () => {
  const home = await emptyDirectory()
  await embeddedSecret(home)
  await chmod(join(home, 'secret'), 0o644)
  await embeddedSecret(home)
  expect((await stat(join(home, 'secret'))).mode & 0o777).toBe(0o600)
})
