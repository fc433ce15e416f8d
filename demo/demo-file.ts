import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from '@portico/server/kernel/world.ts'
import type { DemoIds, DemoPerson, DemoWorld } from './demo-world.ts'
import type { DemoRole } from './sign-in-people.ts'

type FilePerson = Pick<DemoPerson, 'id' | 'name' | 'email' | 'password' | 'companies' | 'syndicates'>

/** An app of the demo's organization, with its keys and secrets. */
export type FileApp = {
  readonly id: string
  readonly name: string
  readonly organization_id: string
  readonly scopes: readonly string[]
  readonly keys: readonly {
    readonly mode: World
    readonly type: string
    readonly client_id: string
    readonly client_secret?: string
    readonly redirect_uris: readonly string[]
  }[]
}

export type OperatorKeys = Readonly<Record<World, string>>

/** The file with which scripts use the demo world. Only this file shows the operator keys and client secrets. */
export type DemoFile = {
  readonly base_url: string
  readonly operator_keys: OperatorKeys
  readonly apps: readonly FileApp[]
  readonly people: Readonly<Record<DemoRole, FilePerson>>
  readonly ids: DemoIds
}

export function demoFilePath(dataDirectory: string): string {
  return join(dataDirectory, 'demo.json')
}

export function demoFile(
  { people, ids }: DemoWorld,
  rest: Pick<DemoFile, 'base_url' | 'operator_keys' | 'apps'>,
): DemoFile {
  const entries = Object.entries(people).map(([demoRole, person]) => {
    const { id, name, email, password, companies, syndicates } = person
    return [demoRole, { id, name, email, password, companies, syndicates }]
  })
  return { ...rest, people: Object.fromEntries(entries), ids }
}

/** Returns null if the file is missing or is not valid JSON. Its keys are then lost, and the caller creates new ones. */
export async function readDemoFile(path: string): Promise<Partial<DemoFile> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return typeof value === 'object' && value !== null ? value : null
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return null
    throw error
  }
}

/** Writes a temporary file and renames it, so that no program reads half a file. Only the owner can read the file. */
export async function writeDemoFile(path: string, file: DemoFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
