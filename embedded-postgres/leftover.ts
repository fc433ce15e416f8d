import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { type Plan, type RunningServer, waitUntilReady } from './launch.ts'
import {
  identityOf,
  isPostmasterOf,
  isRunning,
  type PostmasterFile,
  parsePostmasterPid,
  pidExists,
  stopServer,
} from './server-process.ts'
import { type Endpoint, postmasterOpts, SOCKET_PORT, serverArguments, socketFile } from './settings.ts'

/**
 * Takes over or removes what an earlier run left on this cluster. No other Node.js process starts or stops a server on this
 * cluster, because we have the lock.
 * a server that we cannot see listens on our socket                     → throw an error
 * postmaster.pid does not exist, or its process is dead                 → remove the stale socket files
 * postmaster.pid is unreadable, or its process is not a server          → remove postmaster.pid too, and signal no process
 * its process is our server, with the arguments that we would use       → take the server over when it responds
 * its process is our server, with other arguments or without a response → stop the server
 * Returns the server that was taken over, or undefined if the caller can start a new one.
 */
export async function takeOverLeftover(plan: Plan): Promise<RunningServer | undefined> {
  const { layout, patience, log } = plan
  const text = await readIfExists(join(layout.cluster, 'postmaster.pid'))
  const file = parsePostmasterPid(text ?? '')
  if (file === undefined || !isPostmasterOf(file.pid, layout.cluster)) {
    await rejectUnseenServer(plan)
    await removeStaleFiles(plan, text, file)
    return undefined
  }
  const server = await adopt(plan, file)
  if (server) {
    log(`Using the PostgreSQL (pid ${file.pid}) that an earlier run left running on ${layout.cluster}.`)
    return server
  }
  log(`Stopping the PostgreSQL (pid ${file.pid}) that an earlier run left on ${layout.cluster}, to start it again.`)
  await stopServer(identityOf(file.pid), patience, log)
  return undefined
}

async function adopt(plan: Plan, file: PostmasterFile): Promise<RunningServer | undefined> {
  const { layout, binaries, patience } = plan
  const endpoint = expectedEndpoint(plan, file)
  if (endpoint === undefined || file.status === 'stopping') return undefined
  const args = serverArguments({ ...plan, cluster: layout.cluster, endpoint })
  const startedWith = await readIfExists(join(layout.cluster, 'postmaster.opts'))
  if (startedWith?.trim() !== postmasterOpts(binaries.postgres, args)) return undefined

  const server = identityOf(file.pid)
  const patienceMs = file.status === 'ready' ? patience.answerMs : patience.readyMs
  const info = await waitUntilReady({ ...plan, endpoint }, patienceMs, () => !isRunning(server))
  // After an upgrade the old server may still run, although the new libraries are installed. It must be replaced.
  if (info?.version !== binaries.version || info.dataDirectory !== layout.cluster) return undefined
  return { process: server, endpoint, version: info.version, adopted: true }
}

function expectedEndpoint({ listen }: Plan, file: PostmasterFile): Endpoint | undefined {
  if (listen.kind === 'socket') return { ...listen, port: SOCKET_PORT }
  return file.endpoint?.kind === 'tcp' ? file.endpoint : undefined
}

/**
 * A server may run although we cannot see its process, for example in another container that shares this directory. Its socket
 * shows that it runs, because no other program listens in that directory.
 */
async function rejectUnseenServer({ listen, layout }: Plan): Promise<void> {
  if (listen.kind !== 'socket' || !(await isListening(socketFile(listen.directory, SOCKET_PORT)))) return
  throw new EmbeddedPostgresError(
    `A PostgreSQL that this process did not start and cannot see is running on ${layout.cluster}, perhaps in another ` +
      `container. Stop it first, ${WAY_OUT}.`,
  )
}

/**
 * PostgreSQL does not start if postmaster.pid or the lock file of its socket contains the pid of any living process. If
 * the process in postmaster.pid is dead, we leave that file to PostgreSQL, which checks more than we can. In all other
 * cases we remove the file. This is safe: even without the file, PostgreSQL does not start while backends of an earlier
 * server run, because it finds their shared memory by the inode of the directory.
 */
async function removeStaleFiles({ listen, layout, log }: Plan, text?: string, file?: PostmasterFile): Promise<void> {
  if (listen.kind === 'socket') {
    const socket = socketFile(listen.directory, SOCKET_PORT)
    for (const path of [socket, `${socket}.lock`]) await rm(path, { force: true })
  }
  if (text === undefined || (file !== undefined && !pidExists(file.pid))) return
  log(`Removing a stale postmaster.pid from ${layout.cluster}: no PostgreSQL runs there.`)
  await rm(join(layout.cluster, 'postmaster.pid'), { force: true })
}

async function isListening(socket: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const connection = connect(socket)
    const finish = (listening: boolean) => {
      connection.destroy()
      resolve(listening)
    }
    connection.once('connect', () => finish(true))
    connection.once('error', () => finish(false))
  })
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
