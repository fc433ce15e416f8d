import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../support/machine.ts'
import { type Release, releaseOf } from '../support/portico.ts'

const ROOT = join(import.meta.dirname, '../..')
const FROM = join(ROOT, 'ops/upgrade-from')

export type Previous = {
  readonly commit: string
  readonly release: Release
  /** Migrations that the present release has and the previous one lacks. */
  readonly newMigrations: readonly string[]
}

/** The release that `ops/upgrade-from` names, with its own dependencies, in a folder of the machine. */
export async function previousRelease(machine: Machine): Promise<Previous> {
  const commit = (await readFile(FROM, 'utf8')).trim()
  const checkout = join(machine.directory, 'previous')
  await mkdir(checkout)
  const archive = join(machine.directory, 'previous.tar')
  execFileSync('git', ['-C', ROOT, 'archive', '--format=tar', '-o', archive, commit])
  execFileSync('tar', ['-xf', archive, '-C', checkout])
  const npm = ['ci', '--prefer-offline', '--no-audit', '--no-fund']
  execFileSync('npm', npm, { cwd: checkout, stdio: ['ignore', 'ignore', 'pipe'] })
  const present = await readdir(join(ROOT, 'server/migrations'))
  const newMigrations = present.filter((name) => !existsSync(join(checkout, 'server/migrations', name)))
  return { commit, release: releaseOf(checkout), newMigrations }
}
