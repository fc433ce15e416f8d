import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** A line of a fact file. Its text is null when it is longer than any fact or not UTF-8. */
export type FactLine = { readonly number: number; readonly text: string | null; readonly endByte: number }

export type Place = { readonly linesDone: number; readonly bytesDone: number }

export type FactFile = {
  readonly fingerprint: Buffer
  readonly bytes: number
  /** The lines after `from`, one at a time: the file may be larger than memory. Empty lines are left out. */
  lines(from: Place): AsyncGenerator<FactLine>
  close(): Promise<void>
}

/** The feed's own limit for a whole request; a fact is far below it. */
const LINE_BYTES_MAX = 1_048_576
const CHUNK_BYTES = 262_144
const EDGE_BYTES = 1_048_576
const NEWLINE = 0x0a

export async function openFactFile(path: string): Promise<FactFile> {
  const handle = await open(path)
  const { size } = await handle.stat()
  return {
    fingerprint: await fingerprint(handle),
    bytes: size,
    lines: (from) => readLines(handle, from),
    close: () => handle.close(),
  }
}

/**
 * What tells this file from another without reading all of it: its size, its first and last megabyte, and when it was
 * last written. A file edited in the middle must not be taken for one half done; one that was only copied is begun
 * again, which costs time and changes nothing.
 */
async function fingerprint(handle: FileHandle): Promise<Buffer> {
  const { size, mtimeNs } = await handle.stat({ bigint: true })
  const first = await readAt(handle, 0, EDGE_BYTES)
  const last = await readAt(handle, Math.max(0, Number(size) - EDGE_BYTES), EDGE_BYTES)
  return createHash('sha256').update(`${size} ${mtimeNs}\n`).update(first).update(last).digest()
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function* readLines(handle: FileHandle, from: Place): AsyncGenerator<FactLine> {
  let number = from.linesDone
  let position = from.bytesDone
  let begun = new LineBytes()
  for (;;) {
    const chunk = await readAt(handle, position, CHUNK_BYTES)
    if (chunk.length === 0) break
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      begun.add(chunk.subarray(start, end))
      start = end + 1
      number++
      const text = begun.text()
      if (text !== '') yield { number, text, endByte: position + start }
      begun = new LineBytes()
    }
    begun.add(chunk.subarray(start))
    position += chunk.length
  }
  const rest = begun.text()
  if (rest !== '') yield { number: number + 1, text: rest, endByte: position }
}

/** What has been read of a line. Of one that is too long nothing is kept, however long it is. */
class LineBytes {
  readonly #pieces: Buffer[] = []
  #bytes = 0

  add(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > LINE_BYTES_MAX) this.#pieces.length = 0
    else this.#pieces.push(piece)
  }

  text(): string | null {
    if (this.#bytes > LINE_BYTES_MAX) return null
    try {
      return UTF8.decode(Buffer.concat(this.#pieces)).trim()
    } catch {
      return null
    }
  }
}

/** Replacing bad bytes would import something nobody wrote. A byte order mark is left out. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })
