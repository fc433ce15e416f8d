import type { Log } from '#system/log.ts'
import type { EmbeddedPostgres } from './embedded-postgres/index.ts'

const LOOK_EVERY_MS = 1_000

/**
 * The embedded PostgreSQL belongs to this process, so this process sees to it that it runs: should it be killed while
 * we live (by a person, or for want of memory), it is started again on the same address, and connections heal.
 */
export async function keepRunning(
  launch: () => Promise<EmbeddedPostgres>,
  log: Log,
): Promise<Pick<EmbeddedPostgres, 'url' | 'version' | 'isNew' | 'stop'>> {
  let server = await launch()
  let stopping = false
  let relaunching: Promise<void> | null = null

  async function relaunch(): Promise<void> {
    log.error('the embedded PostgreSQL ended by itself; starting it again')
    try {
      await server.stop()
      server = await launch()
    } catch (error) {
      log.error({ err: error }, 'the embedded PostgreSQL could not be started again; trying once more in a moment')
    } finally {
      relaunching = null
    }
  }

  const watch = setInterval(() => {
    if (!stopping && relaunching === null && !server.isRunning()) relaunching = relaunch()
  }, LOOK_EVERY_MS)
  watch.unref()

  return {
    url: server.url,
    version: server.version,
    isNew: server.isNew,
    async stop() {
      stopping = true
      clearInterval(watch)
      await relaunching
      await server.stop()
    },
  }
}
