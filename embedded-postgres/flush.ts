import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import type { RunnableBinaries } from './binaries.ts'
import { errorCode, failure } from './error.ts'
import type { Layout } from './layout.ts'
import { lastLines, type RunAs, run } from './run.ts'
import { bootId } from './server-process.ts'

/*
 * PostgreSQL makes a thousand files for a new cluster, and writing them through to the disk takes longer than making them.
 * So a new server starts on files that may still be in the system's memory only, while `initdb --sync-only` writes them through. Until that
 * is done a file in the data directory says so, with the id of this boot of the machine. Nothing is acknowledged before (see
 * `EmbeddedPostgres.flushed`). A killed process loses nothing of the system's memory: the next start writes it through. If the machine itself
 * went down, the cluster may have holes and holds nothing that was acknowledged: the next start creates it again.
 */

/** Before the cluster is renamed: the marker must be on disk whenever the cluster is. */
export async function noteUnflushed({ unflushed, home }: Layout, boot: string): Promise<void> {
  await using note = await open(unflushed, 'w', 0o600)
  await note.writeFile(`${boot}\n`)
  await note.sync()
  await flushDirectory(home)
}

/** Removes a cluster that a crash of the machine may have left incomplete. */
export async function removeUnflushedOfEarlierBoot(layout: Layout, log: (message: string) => void): Promise<void> {
  const notedBoot = await readNote(layout)
  if (notedBoot === null || notedBoot === bootId()) return
  log(
    `The machine went down during the first start, before the data in ${layout.cluster} was on disk; creating it again.`,
  )
  await rm(layout.cluster, { recursive: true, force: true })
  await removeNote(layout)
}

type Needs = { readonly layout: Layout; readonly runAs: RunAs; readonly binaries: RunnableBinaries }

/** Flushes a new cluster to disk, if that was not done yet. Its server may run meanwhile. */
export async function flushCluster({ layout, runAs, binaries }: Needs): Promise<void> {
  if ((await readNote(layout)) === null) return
  const { ok, output } = await run(binaries.initdb, ['--sync-only', `--pgdata=${layout.cluster}`], runAs)
  if (!ok) throw failure(`PostgreSQL could not write its files in ${layout.home} to the disk`, lastLines(output))
  await removeNote(layout)
}

async function readNote({ unflushed }: Layout): Promise<string | null> {
  try {
    return (await readFile(unflushed, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function removeNote({ unflushed, home }: Layout): Promise<void> {
  await rm(unflushed, { force: true })
  await flushDirectory(home)
}

/** A new, renamed or removed name survives a power cut only once its directory is on disk. */
export async function flushDirectory(path: string): Promise<void> {
  await using directory: FileHandle = await open(path)
  await directory.sync()
}
