import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'
import { Failure } from '../failure.ts'
import { isFileError, replaceFile } from '../files.ts'
import type { Mode } from './demo-file.ts'

export type ProfileKey = { readonly client_id: string; readonly client_secret: string }

/** The data that `portico login` stores: a session at one service, the chosen app, and the keys of the app. */
export type Profile = {
  readonly base_url: string
  readonly email: string
  readonly token: string
  readonly expires_at: string
  readonly app: { readonly id: string; readonly name: string } | null
  readonly keys: { readonly [M in Mode]?: ProfileKey }
}

type Profiles = { readonly [name: string]: Profile }

export const DEFAULT_PROFILE = 'default'

export function profilesPath({ configDirectory }: Environment): string {
  return join(configDirectory, 'profiles.json')
}

export async function readProfiles(environment: Environment): Promise<Profiles> {
  const path = profilesPath(environment)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) return {}
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(`${path} cannot be read: ${reason}.`, {
      remedy: 'Make it a file that you can read and that other users cannot read.',
      cause,
    })
  }
  const profiles = parseProfiles(text)
  if (profiles !== null) return profiles
  throw new Failure(`${path} is damaged.`, { remedy: 'Delete it and run portico login again.' })
}

/** Returns null if the text is not in the format of `writeProfile`. */
function parseProfiles(text: string): Profiles | null {
  try {
    const profiles: Profiles = JSON.parse(text)
    const isComplete = Object.values(profiles).every((one) => {
      return [one.base_url, one.email, one.token].every((field) => typeof field === 'string') && one.keys !== undefined
    })
    return isComplete && !Array.isArray(profiles) ? profiles : null
  } catch {
    return null
  }
}

/** Stores a profile. Null removes the profile. */
export async function writeProfile(environment: Environment, name: string, profile: Profile | null): Promise<void> {
  const path = profilesPath(environment)
  const { [name]: _replaced, ...others } = await readProfiles(environment)
  const next = profile === null ? others : { ...others, [name]: profile }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`)
}
