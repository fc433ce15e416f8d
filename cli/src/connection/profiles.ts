import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'
import { Failure } from '../failure.ts'
import { replaceFile } from '../files.ts'
import type { Mode } from './demo-file.ts'

export type ProfileKey = { readonly client_id: string; readonly client_secret: string }

/** What `portico login` stores: a session at one service, and the chosen app. */
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
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Failure(`${path} is not JSON.`, { remedy: 'Delete it and run portico login again.', cause })
  }
}

/** Null removes the profile. */
export async function writeProfile(environment: Environment, name: string, profile: Profile | null): Promise<void> {
  const path = profilesPath(environment)
  const { [name]: _replaced, ...others } = await readProfiles(environment)
  const next = profile === null ? others : { ...others, [name]: profile }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`)
}
