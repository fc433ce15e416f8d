import { openLog } from '#system/log.ts'
import { parseArguments } from './arguments.ts'
import { ConfigError, loadConfig } from './config.ts'
import { explainFailure } from './explain-failure.ts'
import { start } from './start.ts'
import { stopSignal } from './stop-signal.ts'
import { welcome } from './welcome.ts'

const EXIT_BAD_SETTING = 2
const EXIT_FAILED = 1
/** Longer than every bound of a stop taken together; whatever hangs beyond it is left behind. */
const GIVE_UP_MS = 30_000

/** The command behind `npm start`. */
async function main(signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const config = loadConfig()
  const args = parseArguments(process.argv.slice(2))
  const log = openLog(config.logLevel)
  for (const setting of config.ignored) log.warn({ setting }, 'there is no such setting: it changes nothing')
  const running = await start(config, args, { log, signal })
  process.stdout.write(
    welcome(config.baseUrl ?? running.address, {
      role: args.role,
      readyInMs: performance.now() - startedAt,
      dataDirectory: config.databaseUrl === null ? config.dataDirectory : null,
    }),
  )
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  log.info('stopping')
  await running.stop()
}

const signal = stopSignal(GIVE_UP_MS)
try {
  await main(signal)
  process.exit(0)
} catch (error) {
  // Asked to stop while still starting: everything opened so far has been closed, and that is what was asked for.
  if (signal.aborted) process.exit(0)
  process.stderr.write(`\n${explainFailure(error)}\n\n`)
  process.exit(error instanceof ConfigError ? EXIT_BAD_SETTING : EXIT_FAILED)
}
