import { openLog } from '#system/log.ts'
import { parseArguments } from './arguments.ts'
import { ConfigError, loadConfig } from './config.ts'
import { explainFailure } from './explain-failure.ts'
import { start } from './start.ts'
import { welcome } from './welcome.ts'

const EXIT_BAD_SETTING = 2
const EXIT_FAILED = 1

/** The command behind `npm start`. */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const config = loadConfig()
  const log = openLog(config.logLevel)
  const stopSignal = firstStopSignal()
  const running = await start(config, parseArguments(process.argv.slice(2)), log)
  const embedded = config.databaseUrl === null ? config.dataDirectory : null
  const ready = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
  process.stdout.write(welcome(config.baseUrl ?? running.address, { ready, embedded }))
  log.info({ signal: await stopSignal }, 'stopping')
  await running.stop()
}

/** Listening from the very start, so that a Ctrl-C during the start is not lost but obeyed as soon as possible. */
function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  })
}

try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`\n${explainFailure(error)}\n\n`)
  process.exit(error instanceof ConfigError ? EXIT_BAD_SETTING : EXIT_FAILED)
}
