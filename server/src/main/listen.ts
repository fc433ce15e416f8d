import type { App } from '#http/app.ts'
import { ConfigError } from './config.ts'
import { StartError } from './start-error.ts'

type Where = { readonly host: string; readonly port: number; readonly portIsExplicit: boolean }

/** How many ports after the default are tried before giving up. */
const PORTS_TRIED_MAX = 20

const UNUSABLE_HOST: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'])

/** The default port gives way to the next free one; a port somebody asked for is taken or the start fails. */
export async function listen(app: App, { host, port, portIsExplicit }: Where): Promise<string> {
  const last = portIsExplicit ? port : port + PORTS_TRIED_MAX - 1
  for (let candidate = port; candidate <= last; candidate++) {
    try {
      return await app.listen({ host, port: candidate })
    } catch (error) {
      const code = codeOf(error)
      if (UNUSABLE_HOST.has(code))
        throw new ConfigError(`HOST=${JSON.stringify(host)} is no address of this machine (${code}).`)
      if (code === 'EACCES')
        throw new ConfigError(`PORT=${candidate} is not allowed to this user: choose one above 1023.`)
      if (code !== 'EADDRINUSE') throw error
    }
  }
  throw new StartError(
    portIsExplicit
      ? `Port ${port} on ${host} is already taken. Stop what uses it, or choose another with PORT.`
      : `Ports ${port} to ${last} on ${host} are all taken. Choose a free one with PORT.`,
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
