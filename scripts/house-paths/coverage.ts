import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Functions that ran, as `path:offset`. The paths begin at the root of the project. */
export type RanFunctions = ReadonlySet<string>

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly message: string }
}
type Send = (method: string, params?: object) => Promise<unknown>
type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** The API runs in the main thread, the workers in their own threads. */
export type Ran = { readonly main: RanFunctions; readonly workers: RanFunctions }

export type CoverageSession = {
  /** The functions that ran since the last call. */
  take(): Promise<Ran>
  close(): void
}

/** Records which functions ran in the main thread and in the worker threads of a process that accepts an inspector. */
export async function openCoverage(inspectorUrl: string, root: string): Promise<CoverageSession> {
  const socket = new WebSocket(inspectorUrl)
  await once(socket, 'open')
  const threads: Send[] = []
  const receivers = new Map<unknown, (message: Message) => void>()
  const main = caller((message) => socket.send(message))
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    main.receive(message)
    const { method, params } = message
    if (method === 'NodeWorker.receivedMessageFromWorker') {
      receivers.get(params?.['sessionId'])?.(JSON.parse(String(params?.['message'])) as Message)
    }
    if (method !== 'NodeWorker.attachedToWorker') return
    const sessionId = params?.['sessionId']
    const worker = caller((text) => void main.send('NodeWorker.sendMessageToWorker', { sessionId, message: text }))
    receivers.set(sessionId, worker.receive)
    threads.push(worker.send)
  })
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  for (const send of [main.send, ...threads]) {
    await send('Profiler.enable')
    await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }
  return {
    take: async () => {
      const ranInThreads = async (sends: readonly Send[]) => {
        const taken = await Promise.all(sends.map((send) => send('Profiler.takePreciseCoverage')))
        return new Set(taken.flatMap((coverage) => ranIn(coverage as Coverage, root)))
      }
      return { main: await ranInThreads([main.send]), workers: await ranInThreads(threads) }
    },
    close: () => socket.close(),
  }
}

function ranIn({ result }: Coverage, root: string): readonly string[] {
  return result
    .filter(({ url }) => url.startsWith('file://'))
    .flatMap(({ url, functions }) => {
      const path = fileURLToPath(url)
      if (!path.startsWith(`${root}/`) || path.includes('/node_modules/')) return []
      const ran = functions.flatMap(({ ranges: [first] }) => (first !== undefined && first.count > 0 ? [first] : []))
      return ran.map(({ startOffset }) => `${path.slice(root.length + 1)}:${startOffset}`)
    })
}

/** Numbers the requests of the inspector's protocol and resolves each with its response. */
function caller(transmit: (text: string) => void): { readonly send: Send; receive(message: Message): void } {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  return {
    send: (method, params = {}) => {
      const id = ++last
      const response = Promise.withResolvers<unknown>()
      pending.set(id, response)
      transmit(JSON.stringify({ id, method, params }))
      return response.promise
    },
    receive: ({ id, result, error }) => {
      const response = pending.get(id ?? 0)
      pending.delete(id ?? 0)
      if (error === undefined) response?.resolve(result)
      else response?.reject(new Error(error.message))
    },
  }
}
