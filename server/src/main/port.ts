import { createServer } from 'node:net'
// Imports a single file instead of the whole edge, because the port is checked before anything else is loaded.
import { codeOf, listenOn } from '#http/listen.ts'
import { ConfigError, StartError } from './config.ts'

type Candidate = { readonly host: string; readonly port: number }
export type Where = { readonly host: string; readonly port: number; readonly portIsExplicit: boolean }

/** How many ports are tried, including the default one, before the start fails. */
const PORTS_TRIED_MAX = 20

const UNUSABLE_HOST: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'])

/**
 * Checks the port before anything else starts. So the start ends at once if no port can be used, or if the host is not
 * an address of this machine.
 */
export async function checkPort(where: Where): Promise<void> {
  await firstFreePort(where, isFree)
}

/** Listens once and closes. Throws if the port cannot be used. Returns the port; for port 0, the system chooses one. */
export async function isFree(candidate: Candidate): Promise<number> {
  const { address, close } = await listenOn(createServer(), candidate)
  await close()
  return candidate.port === 0 ? Number(new URL(address).port) : candidate.port
}

/** Tries to listen. If the default port is taken, the next free port is used. If a configured port is taken, the start fails. */
export async function firstFreePort<T>(
  { host, port, portIsExplicit }: Where,
  listen: (candidate: Candidate) => Promise<T>,
): Promise<T> {
  const last = portIsExplicit ? port : port + PORTS_TRIED_MAX - 1
  let cause: unknown
  for (let candidate = port; candidate <= last; candidate++) {
    try {
      return await listen({ host, port: candidate })
    } catch (error) {
      const code = codeOf(error)
      if (UNUSABLE_HOST.has(code))
        throw new ConfigError(`HOST=${JSON.stringify(host)} is not an address of this machine (${code}).`)
      if (code === 'EACCES')
        throw new ConfigError(`PORT=${candidate} is not allowed to this user: choose one above 1023.`)
      if (code !== 'EADDRINUSE') throw error
      cause = error
    }
  }
  throw new StartError(
    portIsExplicit
      ? `Port ${port} on ${host} is already taken. Stop what uses it, or choose another with PORT.`
      : `Ports ${port} to ${last} on ${host} are all taken. Choose a free one with PORT.`,
    { cause },
  )
}
