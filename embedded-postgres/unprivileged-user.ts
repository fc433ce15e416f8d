import { EmbeddedPostgresError, WAY_OUT } from './error.ts'
import { run, type UnixUser } from './run.ts'

/**
 * A user of its own, because `nobody` is shared: whatever else runs as `nobody` on this machine could read the
 * database files and signal the server. Not called `portico`, which an operator may well use for Portico itself.
 */
const DEDICATED_USER = 'portico-postgres'

/** The tools differ by distribution: shadow-utils nearly everywhere, BusyBox in small images. */
const CREATE_COMMANDS: ReadonlyArray<readonly [tool: string, ...args: string[]]> = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false'],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false'],
]

/** PostgreSQL refuses to run as root; this is who runs it instead. Creates the user the first time. */
export async function unprivilegedUser(log: (message: string) => void): Promise<UnixUser> {
  const existing = await findUser(DEDICATED_USER)
  if (existing) return existing
  for (const [tool, ...args] of CREATE_COMMANDS) {
    await run(tool, [...args, DEDICATED_USER])
    // Look rather than trust the exit code: another process may have created the user at the same moment.
    const created = await findUser(DEDICATED_USER)
    if (created) {
      log(`Created the system user ${DEDICATED_USER} to run PostgreSQL, which refuses to run as root.`)
      return created
    }
  }
  const nobody = await findUser('nobody')
  if (nobody) {
    log(`Could not create the system user ${DEDICATED_USER}; PostgreSQL will run as nobody.`)
    return nobody
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and there is no other user to run it as: no tool to create one, no `nobody`. ' +
      `Run Portico as an ordinary user, ${WAY_OUT}.`,
  )
}

export async function findUser(name: string): Promise<UnixUser | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  if (!uid.ok || !gid.ok) return undefined
  // To signed 32 bits, which is what spawn takes: on macOS `nobody` is 4294967294, meaning -2.
  const user = { name, uid: Number(uid.output) | 0, gid: Number(gid.output) | 0 }
  return user.uid === 0 ? undefined : user
}

export function weAreRoot(): boolean {
  return process.getuid?.() === 0
}
