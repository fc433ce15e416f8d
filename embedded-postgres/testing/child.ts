import { setgid, setgroups, setuid } from 'node:process'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../index.ts'
import type { UnixUser } from '../run.ts'

/** This program starts a server in its own Node process, which a test can kill. start-in-child.ts runs it. */
export type StartRequest = { readonly options: Omit<EmbeddedPostgresOptions, 'log'>; readonly becomeUser?: UnixUser }

export type Report =
  | { readonly started: true; readonly url: string; readonly adopted: boolean; readonly logMessages: readonly string[] }
  | { readonly started: false; readonly name: string; readonly message: string }

const request: StartRequest = JSON.parse(process.argv[2] ?? '')
const logMessages: string[] = []

// The user changes after all imports, because the ordinary user may not be able to read this checkout.
if (request.becomeUser && setgroups && setgid && setuid) {
  setgroups([])
  setgid(request.becomeUser.gid)
  setuid(request.becomeUser.uid)
}

const report = (message: Report) => process.send?.(message)

try {
  const server = await startEmbeddedPostgres({ ...request.options, log: (message) => logMessages.push(message) })
  // After any message the process stops its server and exits. Until then the channel keeps the process alive.
  process.once('message', async () => {
    await server.stop()
    process.disconnect()
  })
  report({ started: true, url: server.url, adopted: server.adopted, logMessages })
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  report({ started: false, name, message })
  process.disconnect()
}
