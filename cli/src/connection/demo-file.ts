import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { isFileError } from '../files.ts'

export type Mode = 'test' | 'live'
export type DemoKey = {
  readonly mode: Mode
  readonly type: string
  readonly client_id: string
  readonly client_secret?: string
}
export type DemoApp = { readonly id: string; readonly name: string; readonly keys: readonly DemoKey[] }
export type DemoPerson = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly companies: readonly string[]
  readonly syndicates: readonly string[]
}

/** The file in which `npm start` describes its demo. */
export type DemoFile = {
  readonly base_url: string
  readonly operator_keys: Readonly<Record<Mode, string>>
  readonly apps: readonly DemoApp[]
  readonly people: Readonly<Record<'founder' | 'editor' | 'investor' | 'manager' | 'developer', DemoPerson>>
  readonly ids: Readonly<Record<string, string>>
}

export const DEMO_PATH = join('.portico', 'demo.json')

/** Returns null if there is no demo. */
export async function readDemoFile(directory: string): Promise<DemoFile | null> {
  let text: string
  try {
    text = await readFile(join(directory, DEMO_PATH), 'utf8')
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null
    throw new Failure(`${DEMO_PATH} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      remedy: 'Run the command as the user who started the demo.',
      cause: error,
    })
  }
  const demo = parseDemoFile(text)
  if (demo !== null) return demo
  throw new Failure(`${DEMO_PATH} is not the file of a demo.`, { remedy: 'Start the demo again: npm start.' })
}

/** Returns null if the text is not JSON, or lacks a part that the file of every demo has. */
function parseDemoFile(text: string): DemoFile | null {
  try {
    const demo: Partial<DemoFile> = JSON.parse(text)
    const { base_url, operator_keys, apps = [], people, ids } = demo
    const isComplete = typeof base_url === 'string' && operator_keys !== undefined && people !== undefined
    return isComplete && ids !== undefined && apps.length > 0 && apps.every(({ keys }) => Array.isArray(keys))
      ? (demo as DemoFile)
      : null
  } catch {
    return null
  }
}
