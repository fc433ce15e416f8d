import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { webhooks } from '@portico/sdk'

/** A partner's endpoint on loopback, which receives real HTTP and checks every signature. */
export type Receiver = {
  readonly url: string
  /** The endpoint's signing secret, known once the endpoint exists. */
  secret: string
  /** The number of receipts of each delivery, by event and installation. */
  readonly received: ReadonlyMap<string, number>
  /** What was wrong with a request, such as a signature that does not match. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

/** A delivery is named by its event and its installation, because an event goes to each installation that may see it. */
export const deliveryKey = (event: string, installation: string | null | undefined) => `${event} ${installation ?? ''}`

const FAULTS_KEPT = 10

/** Opens a receiver that responds after `delayMs`. */
export async function openReceiver(delayMs = 0): Promise<Receiver> {
  const received = new Map<string, number>()
  const faults: string[] = []
  const state = { secret: '' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const problem = await webhooks.verify(Buffer.concat(chunks), request.headers, state.secret).then(
      (event) => {
        const { id, installation } = event as { id: string; installation?: { id: string } | null }
        const key = deliveryKey(id, installation?.id)
        received.set(key, (received.get(key) ?? 0) + 1)
        return null
      },
      (error: unknown) => String(error),
    )
    if (problem !== null && faults.length < FAULTS_KEPT) faults.push(problem)
    if (delayMs > 0) await wait(delayMs)
    response.writeHead(problem === null ? 204 : 400).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    get secret() {
      return state.secret
    },
    set secret(value) {
      state.secret = value
    },
    received,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
