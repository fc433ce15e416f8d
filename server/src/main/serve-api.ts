import type { DemoDoor } from '#front/http.ts'
import type { OpenDemo } from '#pages/reference/page.ts'
import type { Log } from '#system/log.ts'
import { type Metrics, openMetrics } from '#system/metrics.ts'
import { composeApp } from './compose.ts'
import type { Config } from './config.ts'
import { demoDoor, openDemo } from './demo.ts'
import type { DemoFile } from './optional-workspaces.ts'
import { firstFreePort } from './port.ts'
import { closeWithin, STOP_STEPS_MS, within } from './within.ts'

/** The HTTP server of this process, or of several processes on one address. */
export type ServedApi = {
  /** The address on which it listens. */
  readonly address: string
  /** Makes the pages show the demo. */
  showDemo(file: DemoFile): void
  /** Does work that was delayed so that the start ends sooner. Never rejects. */
  prepare(): Promise<void>
  close(): Promise<void>
}

type Parts = Omit<Parameters<typeof composeApp>[0], 'origin' | 'openDemo' | 'demoDoor' | 'staleReads'> & {
  /** The address of the primary database server. */
  readonly databaseUrl: string
  readonly config: Config
  readonly log: Log
  readonly signal?: AbortSignal | undefined
}

/** Composes the service in this process, and listens. */
export async function serveApi(parts: Parts): Promise<ServedApi> {
  const { config, log, signal, metrics = openMetrics('api') } = parts
  let shownDemo: OpenDemo | null = null
  let door: DemoDoor | null = null
  // The address is known once the server listens, and only requests read it.
  let listeningOn = ''
  const replicas = await openReplicasOf(parts, metrics)
  const app = await composeApp({
    ...parts,
    metrics,
    ...(replicas === null ? {} : { staleReads: replicas.reads }),
    origin: () => config.baseUrl ?? listeningOn,
    openDemo: () => shownDemo,
    demoDoor: () => door,
  })
  const close = async () => {
    await closeWithin(app, STOP_STEPS_MS, () => log.warn('the records of the last requests were not written in time'))
    await within(STOP_STEPS_MS.connections, replicas?.close() ?? Promise.resolve(), () =>
      log.warn('the connections to replicas did not close in time'),
    )
  }
  try {
    signal?.throwIfAborted()
    const where = { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') }
    listeningOn = await firstFreePort(where, (candidate) => app.listen(candidate))
  } catch (error) {
    await close()
    throw error
  }
  return {
    address: listeningOn,
    showDemo(file) {
      shownDemo = openDemo(file)
      door = demoDoor(file, config)
    },
    async prepare() {
      try {
        await app.prepare()
      } catch (error) {
        log.error({ err: error }, 'the schemas of a route cannot be compiled')
      }
    },
    close,
  }
}

/** Returns null without replicas and in a worker process, and then does not load the code for replicas. */
async function openReplicasOf({ config, databases, databaseUrl, role, log }: Parts, metrics: Metrics) {
  const { replicaUrls: urls, replicaMaxLagMs: maxLagMs, poolSize } = config
  if (urls.length === 0 || role === 'worker') return null
  const { openReplicas } = await import('#system/postgres/replicas.ts')
  const { platform } = databases
  return openReplicas({ urls, maxLagMs, poolSize, primaryUrl: databaseUrl, platform, metrics, log })
}
