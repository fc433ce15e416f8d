import { execFile } from 'node:child_process'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

/**
 * Packs a copy of a workspace as `npm publish` would, and returns the tarball's path. The copy is needed because npm replaces
 * package.json while it packs, and other tests read the original.
 */
export async function packWorkspace(workspace: 'sdk' | 'cli', folder: string): Promise<string> {
  for (const name of ['node_modules', 'scripts', 'server', 'tsconfig.json'])
    await symlink(join(ROOT, name), join(folder, name))
  await cp(join(ROOT, workspace), join(folder, workspace), { recursive: true })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(folder, workspace) })
  expect(await readdir(join(folder, workspace))).toEqual(await readdir(join(ROOT, workspace)))
  return join(folder, `portico-${workspace}-0.1.0.tgz`)
}
