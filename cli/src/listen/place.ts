import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { newSigningSecret } from './signature.ts'

/** Which listener: each has a place of its own in the stream, so that two addresses both get every event. */
export type Listener = {
  readonly base_url: string
  readonly app: string
  readonly mode: string
  readonly forward_to: string | null
}

export type Place = {
  /** The stream goes on behind this; null before the first connection. */
  readonly last_event_id: string | null
  /** An event that was about to be forwarded: sent again under the same delivery id if the process died meanwhile. */
  readonly pending: { readonly event: string; readonly delivery_id: string } | null
}

const NOTHING: Place = { last_event_id: null, pending: null }

/** What `portico listen` stores in the project's folder: a place for each listener, and the signing secret. */
export class PlaceFile {
  readonly #path: string
  readonly #lock: string
  readonly #listener: Listener
  #place: Place
  #saved: Promise<void> = Promise.resolve()

  private constructor(path: string, listener: Listener, place: Place) {
    this.#path = path
    this.#lock = `${path}.lock`
    this.#listener = listener
    this.#place = place
  }

  static async open(directory: string, listener: Listener): Promise<PlaceFile> {
    const folder = await storage(directory)
    const digest = createHash('sha256').update(JSON.stringify(listener)).digest('hex').slice(0, 16)
    const path = join(folder, `${digest}.json`)
    const file = new PlaceFile(path, listener, await readPlace(path))
    await file.#takeLock()
    return file
  }

  get place(): Place {
    return this.#place
  }

  /** One after the other, so that an older place never takes the position of a newer one. */
  save(change: Partial<Place>): Promise<void> {
    this.#place = { ...this.#place, ...change }
    const text = `${JSON.stringify({ listener: this.#listener, ...this.#place }, null, 2)}\n`
    this.#saved = this.#saved.then(() => this.#write(text))
    return this.#saved
  }

  /** Written aside and moved into place, flushed: a killed process leaves the old place or the new one. */
  async #write(text: string): Promise<void> {
    const draft = `${this.#path}.${randomBytes(4).toString('hex')}.new`
    await writeFile(draft, text, { mode: 0o600, flush: true })
    await rename(draft, this.#path)
  }

  async close(): Promise<void> {
    await rm(this.#lock, { force: true })
  }

  /** Two processes with one place would each get some of the events. */
  async #takeLock(): Promise<void> {
    try {
      const lock = await open(this.#lock, 'wx', 0o600)
      await lock.writeFile(await ownProcess())
      await lock.close()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = await readFile(this.#lock, 'utf8').catch(() => '')
      if (await isRunning(holder)) throw alreadyListening(holder)
      // Left behind by a process that was killed.
      await rm(this.#lock, { force: true })
      await this.#takeLock()
    }
  }
}

/** The same for all listeners of a folder, and for as long as the folder is there: it is part of the receiver's settings. */
export async function readSigningSecret(directory: string): Promise<string> {
  const path = join(await storage(directory), 'signing-secret')
  try {
    await writeFile(path, `${newSigningSecret()}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(path, 'utf8')).trim()
}

/** Holds a secret, so git is asked to leave it alone. */
async function storage(directory: string): Promise<string> {
  const folder = join(directory, '.portico', 'listen')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, '.gitignore'), '*\n')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(`The place in the stream cannot be stored in ${folder}: ${reason}.`, {
      remedy: 'Run portico listen in a folder that you can write to.',
      cause,
    })
  }
  return folder
}

async function readPlace(path: string): Promise<Place> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return NOTHING
  try {
    const { last_event_id = null, pending = null }: Partial<Place> = JSON.parse(text)
    return { last_event_id, pending }
  } catch {
    throw new Failure(`${path} is damaged, so the place in the stream is not known.`, {
      remedy: 'Delete the file: portico listen then starts with the next event.',
    })
  }
}

/** Process id and start time: an id alone may belong to another process by now. */
async function ownProcess(): Promise<string> {
  return `${process.pid} ${await startTime(process.pid)}`
}

async function isRunning(holder: string): Promise<boolean> {
  const [pid = '', started] = holder.split(' ')
  if (!/^\d+$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return (await startTime(Number(pid))) === started
}

/** Field 22 of /proc/PID/stat, counted behind the name, which may have spaces; empty where there is no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function alreadyListening(holder: string): Failure {
  return new Failure(
    `portico listen already runs in this folder with this address (process ${holder.split(' ')[0]}).`,
    {
      type: 'already_listening',
      remedy: 'Stop it first, or listen in another folder.',
    },
  )
}
