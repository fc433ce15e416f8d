import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { createFile, lockFile, replaceFile } from '../files.ts'
import { newSigningSecret } from './signature.ts'

/** Identifies a listener. Each listener has its own place in the stream, so that two addresses both get every event. */
export type Listener = {
  readonly base_url: string
  readonly app: string
  readonly mode: string
  readonly forward_to: string | null
}

export type Place = {
  /** The stream continues after this event. Null if the stream has to begin with the next event. */
  readonly last_event_id: string | null
  /**
   * The event that is being forwarded. If the process dies meanwhile, the next start sends it again with the same delivery id.
   */
  readonly pending: { readonly event: string; readonly delivery_id: string } | null
}

const NO_PLACE: Place = { last_event_id: null, pending: null }

/** The file in the project's folder that stores the place of one listener. */
export class PlaceFile {
  readonly #path: string
  readonly #listener: Listener
  #place: Place
  #saved: Promise<void> = Promise.resolve()

  private constructor(path: string, listener: Listener, place: Place) {
    this.#path = path
    this.#listener = listener
    this.#place = place
  }

  static async open(directory: string, listener: Listener): Promise<PlaceFile> {
    const folder = await storageFolder(directory)
    const digest = createHash('sha256').update(JSON.stringify(listener)).digest('hex').slice(0, 16)
    const path = join(folder, `${digest}.json`)
    // Two processes with the same place would both forward every event, and each would overwrite the place of the other.
    await lockFile(lockOf(path), alreadyListening)
    return new PlaceFile(path, listener, await readPlace(path))
  }

  get place(): Place {
    return this.#place
  }

  /** Each save waits for the previous save, so that an older place never replaces a newer one. */
  save(change: Partial<Place>): Promise<void> {
    this.#place = { ...this.#place, ...change }
    const text = `${JSON.stringify({ listener: this.#listener, ...this.#place }, null, 2)}\n`
    this.#saved = this.#saved.then(() =>
      replaceFile(this.#path, text).catch((cause: unknown) => {
        throw cannotStore(dirname(this.#path), cause)
      }),
    )
    return this.#saved
  }

  async close(): Promise<void> {
    await rm(lockOf(this.#path), { force: true })
  }
}

function lockOf(path: string): string {
  return `${path}.lock`
}

/** All listeners of a folder use the same secret. It never changes, because it is part of the receiver's settings. */
export async function readSigningSecret(directory: string): Promise<string> {
  const path = join(await storageFolder(directory), 'signing-secret')
  await createFile(path, `${newSigningSecret()}\n`)
  return (await readFile(path, 'utf8')).trim()
}

/** Creates the folder of the stored places. It contains the signing secret, so it gets a .gitignore. */
async function storageFolder(directory: string): Promise<string> {
  const folder = join(directory, '.portico', 'listen')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, '.gitignore'), '*\n')
  } catch (cause) {
    throw cannotStore(folder, cause)
  }
  return folder
}

function cannotStore(folder: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Failure(`The place in the stream cannot be stored in ${folder}: ${reason}.`, {
    type: 'place_not_stored',
    remedy: 'Run portico listen in a folder that you can write to.',
    cause,
  })
}

async function readPlace(path: string): Promise<Place> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return NO_PLACE
  try {
    const { last_event_id = null, pending = null }: Partial<Place> = JSON.parse(text)
    return { last_event_id, pending }
  } catch {
    throw new Failure(`${path} is damaged, so the place in the stream is not known.`, {
      remedy: 'Delete the file: portico listen then starts with the next event.',
    })
  }
}

function alreadyListening(pid: string): Failure {
  return new Failure(`portico listen already runs in this folder with this address (process ${pid}).`, {
    type: 'already_listening',
    remedy: 'Stop it first, or listen in another folder.',
  })
}
