import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Api } from '@portico/sdk'
import { isFileError } from '../files.ts'

/** A line of a fact file. `text` is null if the line is longer than `LINE_BYTES_MAX` or not UTF-8. */
export type FactLine = { readonly number: number; readonly text: string | null; readonly endByte: number }

export type Place = { readonly linesDone: number; readonly bytesDone: number }

export type FactFile = {
  readonly fingerprint: string
  readonly bytes: number
  /** Yields the lines after `from` one at a time, because the file may be larger than memory. Skips empty lines. */
  lines(from: Place): AsyncGenerator<FactLine>
  [Symbol.asyncDispose](): Promise<void>
}

/** Facts are far smaller than this. A request to the feed may have eight times as many bytes. */
export const LINE_BYTES_MAX = 1_048_576
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
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/**
 * Identifies a file by its size, its first and last megabyte, and its modification time, without reading all of it. So
 * an import does not continue in a file that was edited in the middle. A file that was only copied is imported again
 * from the start, which costs time and changes nothing.
 */
async function fingerprint(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true })
  const first = await readAt(handle, 0, EDGE_BYTES)
  const last = await readAt(handle, Math.max(0, Number(size) - EDGE_BYTES), EDGE_BYTES)
  return createHash('sha256').update(`${size} ${mtimeNs}\n`).update(first).update(last).digest('base64url')
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function* readLines(handle: FileHandle, from: Place): AsyncGenerator<FactLine> {
  let number = from.linesDone
  let position = from.bytesDone
  let currentLine = new LineBytes()
  for (;;) {
    const chunk = await readAt(handle, position, CHUNK_BYTES)
    if (chunk.length === 0) break
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      currentLine.add(chunk.subarray(start, end))
      start = end + 1
      number++
      const text = currentLine.text()
      if (text !== '') yield { number, text, endByte: position + start }
      currentLine = new LineBytes()
    }
    currentLine.add(chunk.subarray(start))
    position += chunk.length
  }
  const lastLine = currentLine.text()
  if (lastLine !== '') yield { number: number + 1, text: lastLine, endByte: position }
}

/** The bytes of one line. The bytes of a line that is too long are dropped, so that memory stays limited. */
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

/** Throws on invalid bytes, because replacing them would change the imported text. Skips a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The file of the refused lines, in the folder of the imported file. It has one JSON object per refused line with the line's
 * number, the reason and the original text. The file exists only if a line was refused.
 */
export type RefusedLines = {
  add(line: FactLine, error: Api.FactError | null): Promise<void>
  /**
   * Writes the added lines to disk. The import calls this before it saves its progress, so that the file lacks no
   * refused line.
   */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Opens the file and removes the entries after `linesDone`, because those lines will be read again. */
export async function openRefusedLines(path: string, linesDone: number): Promise<RefusedLines> {
  await cutAfter(path, linesDone)
  let handle: FileHandle | null = null
  let unflushed = false
  return {
    async add({ number, text }, error) {
      // The file contains whole facts with names and addresses, so only its owner may read it.
      handle ??= await open(path, 'a', 0o600)
      unflushed = true
      await handle.appendFile(`${oneLine(JSON.stringify({ line: number, error, text }))}\n`)
    },
    async flush() {
      if (unflushed) await handle?.datasync()
      unflushed = false
    },
    close: async () => handle?.close(),
  }
}

/** Escapes two characters that JSON leaves unescaped, because `readLines()` ends a line at them. */
function oneLine(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

async function cutAfter(path: string, linesDone: number): Promise<void> {
  const handle = await open(path, 'r+').catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return null
    throw error
  })
  if (handle === null) return
  let keptBytes = 0
  try {
    for await (const line of handle.readLines({ autoClose: false, start: 0 })) {
      if (lineNumber(line) > linesDone) break
      keptBytes += Buffer.byteLength(line) + 1
    }
    await handle.truncate(keptBytes)
  } finally {
    await handle.close()
  }
  if (keptBytes === 0) await rm(path)
}

/** The line number of an entry. Infinity for a partial entry, which a killed process may leave. */
function lineNumber(text: string): number {
  try {
    return Number(Reflect.get(JSON.parse(text), 'line'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export type RefusedReason = {
  readonly type: string | null
  readonly code: string | null
  readonly field: string | null
  readonly lines: number
  readonly first_line: number
  /** The message for the first line with this reason. */
  readonly message: string
}

type RefusedLine = { readonly line: number; readonly error: Api.FactError | null }

/** Returns the reasons of the refused lines, most frequent first. Reads the file, so that earlier runs count too. */
export async function reasonsOf(path: string): Promise<readonly RefusedReason[]> {
  const reasons = new Map<string, RefusedReason>()
  await using handle = await open(path)
  for await (const text of handle.readLines({ autoClose: false, start: 0 })) {
    const { line, error }: RefusedLine = JSON.parse(text)
    const { type = null, code = null, field = null, message = '' } = error ?? {}
    const key = JSON.stringify([type, code, field])
    const reason = reasons.get(key) ?? { type, code, field, lines: 0, first_line: line, message }
    reasons.set(key, { ...reason, lines: reason.lines + 1 })
  }
  return [...reasons.values()].sort((a, b) => b.lines - a.lines)
}
