import type { FastifyInstance } from 'fastify'
import { StartError } from './start-error.ts'

type Where = { readonly host: string; readonly port: number; readonly portIsExplicit: boolean }

/** How many ports after the default are tried before giving up. */
const PORTS_TRIED_MAX = 20

/** The default port gives way to the next free one; a port somebody asked for is taken or the start fails. */
export async function listen(app: FastifyInstance, { host, port, portIsExplicit }: Where): Promise<string> {
  const last = portIsExplicit ? port : port + PORTS_TRIED_MAX - 1
  for (let candidate = port; candidate <= last; candidate++) {
    try {
      return await app.listen({ host, port: candidate })
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  throw new StartError(
    portIsExplicit
      ? `Port ${port} on ${host} is already taken. Stop what uses it, or choose another with PORT.`
      : `Ports ${port} to ${last} on ${host} are all taken. Choose a free one with PORT.`,
  )
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
