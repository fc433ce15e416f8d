import { setgid, setgroups, setuid } from 'node:process'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../index.ts'
import type { UnixUser } from '../run.ts'

/** A separate Node process that starts a server and can be killed. Driven by start-in-child.ts. */
export type Order = { readonly options: Omit<EmbeddedPostgresOptions, 'log'>; readonly becomeUser?: UnixUser }

export type Report =
  | { readonly started: true; readonly url: string; readonly adopted: boolean; readonly said: readonly string[] }
  | { readonly started: false; readonly name: string; readonly message: string }

const order: Order = JSON.parse(process.argv[2] ?? '')
const said: string[] = []

// Only now, after all imports: the ordinary user may not be able to read this checkout.
if (order.becomeUser && setgroups && setgid && setuid) {
  setgroups([])
  setgid(order.becomeUser.gid)
  setuid(order.becomeUser.uid)
}

const report = (message: Report) => process.send?.(message)

try {
  const server = await startEmbeddedPostgres({ ...order.options, log: (message) => said.push(message) })
  // Any message means: stop and exit. Until then the channel keeps this process alive.
  process.once('message', async () => {
    await server.stop()
    process.disconnect()
  })
  report({ started: true, url: server.url, adopted: server.adopted, said })
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  report({ started: false, name, message })
  process.disconnect()
}
