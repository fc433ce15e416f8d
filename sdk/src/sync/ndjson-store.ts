import * as nodeFiles from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import { conflictingSync, type InvestmentStore, type SyncPage, type SyncState } from './sync-investments.ts'

/** A page as a line of the journal. */
type Entry = Omit<SyncPage, 'from'>

type Contents = {
  /** The JSON of each record, and the number of the listing in which it was last read. */
  readonly rows: Map<string, { readonly text: string; readonly listing: number }>
  state: SyncState | undefined
  /** The length of all complete lines. Any bytes after them are a line that a crash cut off. */
  journalBytes: number
}

export type NdjsonStore = InvestmentStore & {
  /** Releases the folder, so that another program can open it. */
  close(): Promise<void>
}

/**
 * Stores a copy in a folder. `investments.ndjson` has one record per line, ordered by id, and is replaced as a whole at
 * the end of each run. Before that, each page is appended to `journal.ndjson` as one line with its state, and flushed to
 * the disk. So a crash leaves either the whole page or no part of it. While the store is open, all records are in memory.
 */
export function ndjsonStore(folder: string): Promise<NdjsonStore> {
  return openNdjson(folder, nodeFiles)
}

/** The file system functions that the store uses. A test passes functions that fail. */
export type Files = Pick<typeof nodeFiles, 'mkdir' | 'open' | 'readFile' | 'rename' | 'stat'>

export async function openNdjson(folder: string, files: Files): Promise<NdjsonStore> {
  await files.mkdir(folder, { recursive: true })
  const path = { journal: join(folder, 'journal.ndjson'), snapshot: join(folder, 'investments.ndjson') }
  const release = await lockFolder(folder)
  const contents = await readContents(path, files)
  let journal = await files.open(path.journal, 'a')
  await journal.truncate(contents.journalBytes)
  let isWritten = false
  return {
    load: async () => contents.state,
    apply: async ({ from, ...entry }) => {
      const isOurs = (await files.stat(path.journal)).size === contents.journalBytes
      if (!isOurs || (contents.state?.version ?? 0) !== from.version) throw conflictingSync()
      const line = `${JSON.stringify(entry)}\n`
      await journal.appendFile(line)
      await journal.datasync()
      contents.journalBytes += Buffer.byteLength(line)
      applyEntry(contents, entry)
      isWritten = false
    },
    finish: async () => {
      const { state } = contents
      if (isWritten || state?.phase !== 'syncing') return
      await replaceFile(files, folder, path.snapshot, linesOf(contents))
      // After a crash at this point, the next start applies the pages of the journal again. The new snapshot has them
      // already, so it does not change.
      const line = `${JSON.stringify({ to: state, records: [], removed: [], endsListing: false } satisfies Entry)}\n`
      await replaceFile(files, folder, path.journal, [line])
      await journal.close()
      journal = await files.open(path.journal, 'a')
      contents.journalBytes = Buffer.byteLength(line)
      isWritten = true
    },
    close: async () => {
      await journal.close()
      await release()
    },
  }
}

async function readContents(
  path: { readonly journal: string; readonly snapshot: string },
  files: Files,
): Promise<Contents> {
  const contents: Contents = { rows: new Map(), state: undefined, journalBytes: 0 }
  for (const { text } of wholeLines(await bytesOf(path.snapshot, files))) {
    const { id }: { id: string } = JSON.parse(text)
    contents.rows.set(id, { text, listing: 0 })
  }
  for (const { text, end } of wholeLines(await bytesOf(path.journal, files))) {
    applyEntry(contents, JSON.parse(text))
    contents.journalBytes = end
  }
  return contents
}

function applyEntry(contents: Contents, { to, records, removed, endsListing }: Entry): void {
  const { rows } = contents
  for (const record of records) rows.set(record.id, { text: JSON.stringify(record), listing: to.listing })
  for (const id of removed) rows.delete(id)
  if (endsListing) for (const [id, { listing }] of rows) if (listing < to.listing) rows.delete(id)
  contents.state = to
}

function* linesOf({ rows }: Contents): Generator<string> {
  for (const id of [...rows.keys()].sort()) yield `${rows.get(id)?.text}\n`
}

const NEW_LINE = 10

function* wholeLines(bytes: Buffer): Generator<{ readonly text: string; readonly end: number }> {
  let start = 0
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    yield { text: bytes.toString('utf8', start, end), end: end + 1 }
    start = end + 1
  }
}

async function bytesOf(file: string, files: Files): Promise<Buffer> {
  return files.readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
}

/** Replaces a file. After a crash or a power failure, the file is either the old one or the new one. */
async function replaceFile(files: Files, folder: string, file: string, lines: Iterable<string>): Promise<void> {
  const handle = await files.open(`${file}.new`, 'w')
  let batch = ''
  for (const line of lines) {
    batch += line
    if (batch.length < 1024 * 1024) continue
    await handle.appendFile(batch)
    batch = ''
  }
  await handle.appendFile(batch)
  await handle.sync()
  await handle.close()
  await files.rename(`${file}.new`, file)
  const directory = await files.open(folder, 'r')
  await directory.sync()
  await directory.close()
}
