import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openLog, standardOutput, textIsWanted } from '#system/log.ts'
import { EXIT_BAD_USAGE, HelpWanted, parseArguments, UsageError } from './command-line.ts'
import { ConfigError, explainFailure, loadConfig, tracingSettings } from './config.ts'
import { type Running, start } from './start.ts'
import { type StepTime, startSteps } from './start-steps.ts'
import { welcome } from './welcome.ts'
import { GIVE_UP_MS } from './within.ts'

const EXIT_FAILED = 1

/** The command behind `npm start`. */
async function main(signal: AbortSignal): Promise<void> {
  // This is the time since the start of the process, so it includes the loading of modules.
  const loadedMs = performance.now()
  const args = parseArguments(process.argv.slice(2))
  const config = loadConfig()
  const log = openLog(config.logLevel, standardOutput(config.logFormat), tracingSettings(config) !== null)
  for (const setting of config.ignored) log.warn({ setting }, 'unknown setting: it is ignored')
  const terminal = process.stdout.isTTY && textIsWanted(config.logFormat) ? process.stdout : null
  const steps = startSteps(log, terminal)
  const running = await start(config, args, { log, signal, steps })
  const { address, demoPeople, firstAdmin } = running
  const readyInMs = performance.now()
  const times = addedUp([{ name: 'loading', ms: loadedMs }, ...steps.times()])
  const measured = { ms: Math.round(readyInMs), steps: inWholeMs(times) }
  if (terminal === null) log.info({ address, pid: process.pid, ...measured }, 'ready')
  process.stdout.write(
    welcome({
      role: args.role,
      address,
      baseUrl: config.baseUrl,
      dataDirectory: config.databaseUrl === null ? config.dataDirectory : null,
      demo: demoPeople && { file: join(config.dataDirectory, 'demo.json'), people: demoPeople },
      firstAdminUrl: firstAdmin?.url ?? null,
      readyInMs,
      times,
    }),
  )
  void prepareLater(running, signal)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  log.info('stopping')
  await running.stop()
}

/**
 * How long after the start `prepare` runs. Before that, the first request to a route compiles its schemas in a few
 * milliseconds.
 */
const PREPARE_AFTER_MS = 5_000

/**
 * The preparation is delayed, because it uses a core for half a second, and the first requests after the start need that core.
 */
async function prepareLater(running: Running, signal: AbortSignal): Promise<void> {
  const isOver = await wait(PREPARE_AFTER_MS, false, { signal }).catch(() => true)
  if (!isOver) await running.prepare()
}

function addedUp(times: readonly StepTime[]): readonly StepTime[] {
  const sums = new Map<string, number>()
  for (const { name, ms } of times) sums.set(name, (sums.get(name) ?? 0) + ms)
  return [...sums].map(([name, ms]) => ({ name, ms }))
}

function inWholeMs(times: readonly StepTime[]): Readonly<Record<string, number>> {
  return Object.fromEntries(times.map(({ name, ms }) => [name, Math.round(ms)]))
}

const signal = stopSignal(GIVE_UP_MS)
try {
  await main(signal)
  process.exit(0)
} catch (error) {
  if (error instanceof HelpWanted) {
    process.stdout.write(error.message)
    process.exit(0)
  }
  // The service was stopped during its start. Everything that was opened has been closed, so the process ends normally.
  if (signal.aborted) process.exit(0)
  process.stderr.write(`\n${explainFailure(error)}\n\n`)
  process.exit(error instanceof ConfigError || error instanceof UsageError ? EXIT_BAD_USAGE : EXIT_FAILED)
}

/**
 * The first SIGTERM or SIGINT aborts the returned signal. The listeners stay, because a second signal often follows: a terminal
 * signals the whole process group, and npm forwards the signal too. Without a listener the second signal would kill the process
 * while it stops. The listeners are installed first, so that Ctrl-C works during the start too. A process that has not stopped
 * after `giveUpMs` is ended.
 */
function stopSignal(giveUpMs: number): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => {
      process.stderr.write(`Portico did not stop within ${giveUpMs / 1_000} s and was ended.\n`)
      process.exit(1)
    }, giveUpMs).unref()
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, stop)
  return stopping.signal
}
