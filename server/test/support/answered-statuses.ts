import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Records which operation responded with which status, in all processes of a test run. The edge publishes each response
 * on a diagnostics channel. Every process appends new statuses to its own file. The run's teardown compares them with
 * the OpenAPI document. Services that tests start as processes load this file by `--import`.
 */
const CHANNEL = 'portico.answered'
const DIRECTORY_VARIABLE = 'ANSWERED_DIRECTORY'
const RECORDING = Symbol.for('portico.test.recording-answers')

/** Subscribes once per process, because test files share a process. */
export function recordAnswers(directory: string): void {
  if (Reflect.get(globalThis, RECORDING) === true) return
  Reflect.set(globalThis, RECORDING, true)
  const seen = new Set<string>()
  subscribe(CHANNEL, (message) => {
    const { operation, path, status } = message as { operation: string; path: string; status: number }
    const line = `${operation} ${path} ${status}`
    if (seen.has(line)) return
    seen.add(line)
    mkdirSync(directory, { recursive: true })
    appendFileSync(join(directory, String(process.pid)), `${line}\n`)
  })
}

/** Returns the environment variables that make a started process record its responses. */
export function recordingEnvironment(sharedDirectory: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, [DIRECTORY_VARIABLE]: answersIn(sharedDirectory) }
}

export function answersIn(sharedDirectory: string): string {
  return join(sharedDirectory, 'answered')
}

type Documented = { readonly operation: string; readonly path: string; readonly statuses: ReadonlySet<string> }

/** Returns one sentence for each status that a service sent and the document does not list. */
export async function undocumentedAnswers(directory: string, document: readonly Documented[]): Promise<string[]> {
  const files = await readdir(directory).catch(() => [])
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''))
  return [...lines].sort().flatMap((line) => {
    const [operation, path, status = ''] = line.split(' ')
    // Tests of the edge serve their own routes, which no document describes.
    const described = document.find((one) => one.operation === operation && one.path === path)
    if (described === undefined || described.statuses.has(status)) return []
    return [`${operation} (${path}) answered ${status}, which the OpenAPI document does not list`]
  })
}

const directory = process.env[DIRECTORY_VARIABLE]
if (directory !== undefined) recordAnswers(directory)
