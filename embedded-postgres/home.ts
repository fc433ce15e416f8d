import { realpath, stat } from 'node:fs/promises'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { type Layout, layoutOf } from './layout.ts'
import { makeDirectory } from './make-directory.ts'
import { closedDoor } from './reachable.ts'
import { readPointer, relocate } from './relocation.ts'
import type { RunAs, UnixUser } from './run.ts'
import { unprivilegedUser, weAreRoot } from './unprivileged-user.ts'

/** Where everything is really kept, and who runs PostgreSQL there. */
export type Home = { readonly layout: Layout; readonly runAs: RunAs }

export async function openHome(wanted: string, relocateTo: string, log: (message: string) => void): Promise<Home> {
  await makeDirectory(wanted, weAreRoot() ? 0o755 : 0o700)
  const directory = await realpath(wanted)
  if (!weAreRoot()) return await openAsOurselves(directory)

  const inPlace = await openAsRoot(directory, log)
  if (inPlace.closed === undefined) return inPlace
  const elsewhere = await openAsRoot(await relocate(directory, relocateTo), log)
  const { name } = elsewhere.runAs
  if (elsewhere.closed === undefined) {
    log(`${name} runs PostgreSQL for root and cannot reach ${directory}; the data is in ${elsewhere.layout.home}.`)
    return elsewhere
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run as root, and ${name} can reach neither ${directory} nor ${elsewhere.layout.home} ` +
      `(stopped by ${elsewhere.closed}). Run Portico as an ordinary user, ${WAY_OUT}.`,
  )
}

async function openAsOurselves(directory: string): Promise<Home> {
  const layout = layoutOf(directory)
  const elsewhere = await readPointer(directory)
  const owner = await ownerOf(layout.cluster)
  if (elsewhere === undefined && (owner === undefined || owner.uid === process.getuid?.())) {
    return { layout, runAs: undefined }
  }
  throw new EmbeddedPostgresError(
    `The data in ${elsewhere ?? layout.cluster} belongs to ${owner?.name ?? 'root'}, not to this user. ` +
      `Start as the user who made it, ${WAY_OUT}.`,
  )
}

/** `closed` is the directory that keeps the unprivileged user out, or undefined. */
async function openAsRoot(directory: string, log: (message: string) => void) {
  const layout = layoutOf(directory)
  const owner = await ownerOf(layout.cluster)
  // Data that exists keeps its owner, so that a user who was created anew with another uid does not lock us out.
  const runAs = owner ?? (await unprivilegedUser(log))
  // Data once moved stays where it is, even if its first place has become reachable since.
  const closed = (await readPointer(directory)) ?? (await closedDoor(directory, runAs))
  if (owner !== undefined && closed !== undefined) {
    // Going elsewhere now would look as if all data were gone.
    throw new EmbeddedPostgresError(
      `The data in ${layout.cluster} belongs to ${runAs.name}, whom ${closed} does not let through. ` +
        `Open that directory again (chmod o+x ${closed}), ${WAY_OUT}.`,
    )
  }
  return { layout, runAs, closed }
}

async function ownerOf(cluster: string): Promise<UnixUser | undefined> {
  try {
    const { uid, gid } = await stat(cluster)
    return { name: `the user with uid ${uid}`, uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
