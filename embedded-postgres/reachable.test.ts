import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ancestorsOf, canTraverse, firstClosedDirectory } from './directories.ts'
import { scratchDirectory } from './testing/scratch.ts'

const USER = { name: 'user', uid: 1000, gid: 100 }

test.each([
  ['any user, if the execute bit of others is set', { uid: 0, gid: 0, mode: 0o701 }, true],
  ['its owner only, if its mode is 0700', { uid: 0, gid: 0, mode: 0o700 }, false],
  ['the owner', { uid: 1000, gid: 0, mode: 0o700 }, true],
  ['others but not by its owner, if the owner’s execute bit is missing', { uid: 1000, gid: 0, mode: 0o077 }, false],
  ['the group', { uid: 0, gid: 100, mode: 0o710 }, true],
  ['others but not by its group, if the group’s execute bit is missing', { uid: 0, gid: 100, mode: 0o701 }, false],
])('canTraverse: a directory can be entered by %s', (_, directory, expected) => {
  expect(canTraverse(directory, USER)).toBe(expected)
})

test('firstClosedDirectory returns the outermost closed directory on the path, or undefined without one', async () => {
  const base = await scratchDirectory()
  const inner = join(base, 'closed', 'inner')
  await mkdir(inner, { recursive: true })
  expect(await firstClosedDirectory(inner, USER)).toBeUndefined()
  await chmod(inner, 0o700)
  await chmod(join(base, 'closed'), 0o700)
  expect(await firstClosedDirectory(inner, { ...USER, uid: 54321 })).toBe(join(base, 'closed'))
})

test('ancestorsOf begins with the root', () => {
  expect(ancestorsOf('/a/b')).toEqual(['/', '/a', '/a/b'])
})
