import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Afterwards, temporaryDirectory } from './service.ts'

const ROOT = join(import.meta.dirname, '../../..')
const OWN_SCOPE = '@portico'

/**
 * Copies the server's folder, and links all installed packages except our own workspaces. So `demo` and
 * `embedded-postgres` are missing there.
 */
export async function productionInstall(when: Afterwards): Promise<string> {
  const root = await temporaryDirectory(when)
  for (const path of ['server/src', 'server/migrations', 'server/package.json', 'server/openapi-examples.json']) {
    await cp(join(ROOT, path), join(root, path), { recursive: true })
  }
  await cp(join(ROOT, 'CHANGELOG.md'), join(root, 'CHANGELOG.md'))
  await mkdir(join(root, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === OWN_SCOPE) continue
    await symlink(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
  }
  return join(root, 'server/src/main')
}
