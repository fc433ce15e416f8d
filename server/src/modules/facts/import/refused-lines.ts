import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Refusal } from '../refusal.ts'
import type { FactLine } from './fact-file.ts'

/**
 * The lines that were not taken in, beside the file they are from: one JSON object each with the line's number, the
 * reason and the line as it was. There is no such file unless a line was refused.
 */
export type RefusedLines = {
  add(line: FactLine, error: Refusal): Promise<void>
  /** Before the place is saved, so that no refused line is behind it and yet not written down. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Keeps what earlier runs wrote about lines up to `linesDone`; what came after will be met again. */
export async function openRefusedLines(path: string, linesDone: number): Promise<RefusedLines> {
  await cutAfter(path, linesDone)
  let handle: FileHandle | null = null
  let unflushed = false
  return {
    async add({ number, text }, error) {
      // Whole facts, with names and addresses: for the owner's eyes.
      handle ??= await open(path, 'a', 0o600)
      unflushed = true
      await handle.appendFile(`${JSON.stringify({ line: number, error, text })}\n`)
    },
    async flush() {
      if (unflushed) await handle?.datasync()
      unflushed = false
    },
    close: async () => handle?.close(),
  }
}

async function cutAfter(path: string, linesDone: number): Promise<void> {
  const handle = await open(path, 'r+').catch(ifMissing)
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

/** Half a line, which a kill may leave, is no line. */
function lineNumber(text: string): number {
  try {
    return Number(Reflect.get(JSON.parse(text), 'line'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function ifMissing(error: unknown): null {
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null
  throw error
}
