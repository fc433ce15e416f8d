import { readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { errorCode } from './error.ts'

type Link = { readonly source: string; readonly target: string }

/**
 * npm packages cannot hold symbolic links, so this one lists its library links in a file and its install script
 * makes them. That script does not run under `npm ci --ignore-scripts`; then we do its work.
 * Returns false if a link is missing and cannot be made here (read-only node_modules, or installed by someone else).
 */
export async function completeLinks(directory: string): Promise<boolean> {
  try {
    for (const link of await missingLinks(directory)) await makeLink(link)
    return true
  } catch {
    return false
  }
}

async function missingLinks(directory: string): Promise<Link[]> {
  const links = await readList(join(directory, 'pg-symlinks.json'))
  // The list is written from the package's root; a copy of ours has no `native` above it.
  const inPlace = (path: string) => join(directory, path.replace(/^native\//, ''))
  const placed = links.map(({ source, target }) => ({ source: inPlace(source), target: inPlace(target) }))
  const present = await Promise.all(placed.map(({ target }) => exists(target)))
  return placed.filter((_, index) => !present[index])
}

async function makeLink({ source, target }: Link): Promise<void> {
  try {
    // Relative, so that a copied tree still holds together.
    await symlink(relative(dirname(target), source), target)
  } catch (error) {
    // Another process is doing the same.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

async function readList(path: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    // An installed PostgreSQL, which needs no such list.
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
