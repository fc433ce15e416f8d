import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nowMs } from './clock.ts'

/** Partners' endpoints in one separate process, each on its own port. The bench sends commands to it by child.ts. */
export type Behaviour = 'accept' | 'hang' | 'fail'
export type Order =
  | { readonly say: 'open'; readonly count: number }
  | { readonly say: 'behave'; readonly at: number; readonly as: Behaviour }
  | { readonly say: 'report' }
export type Report = {
  readonly urls?: readonly string[]
  /** The event, receiver and time of each delivery since the last report. */
  readonly arrivals?: readonly (readonly [event: string, at: number, ms: number])[]
}

const behaviours: Behaviour[] = []
let arrivals: (readonly [string, number, number])[] = []
const report = (message: Report) => process.send?.(message)
const ID_FROM = '{"id":"'.length
const ID_TO = ID_FROM + 'evt_'.length + 24

function answer(at: number, response: ServerResponse): void {
  switch (behaviours[at]) {
    case 'hang':
      return
    case 'fail':
      response.writeHead(500).end()
      return
    default:
      response.writeHead(204).end()
  }
}

async function open(at: number): Promise<string> {
  behaviours[at] = 'accept'
  const server = createServer((request, response) => {
    let start = ''
    request.on('data', (chunk: Buffer) => {
      if (start === '') start = chunk.toString('latin1', ID_FROM, ID_TO)
    })
    request.on('end', () => {
      arrivals.push([start, at, nowMs()])
      answer(at, response)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

process.on('message', async (order: Order) => {
  switch (order.say) {
    case 'open':
      return report({ urls: await Promise.all(Array.from({ length: order.count }, (_, at) => open(at))) })
    case 'behave':
      behaviours[order.at] = order.as
      return report({})
    case 'report': {
      const all = arrivals
      arrivals = []
      return report({ arrivals: all })
    }
  }
})
