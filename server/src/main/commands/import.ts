import { basename, resolve } from 'node:path'
import { factRules, type ImportReport, importFacts, openFactFile, openRefusedLines } from '#intake/facts/index.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { embeddedSecret } from '../database-server.ts'
import { happeningSettings } from '../module-settings.ts'
import { progressBar } from './progress-bar.ts'
import { readWorld, runCommand, say, withDatabases } from './run-command.ts'

const HELP = `Usage: npm run import -- FILE [--world ${WORLDS.join('|')}]

Applies the facts of a file, one JSON object per line (docs/platform-feed.md). Each is applied once by its id, so a file can
be imported again. Stopped with Ctrl-C, the same command goes on where it was. Rejected lines are written to
FILE.refused.ndjson with their reasons. It can run beside the service, or without it.

  --world WORLD   the world to import into (default: test)
  --help          print this

Exit code 0: everything was applied; 1: some lines were rejected; 2: wrong usage; 130: stopped.

Examples:

  npm run import -- history.ndjson
  npm run import -- history.ndjson --world live
`

const EXIT_SOME_REFUSED = 1
/** The exit code that a shell uses for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130

function readArguments(argv: readonly string[]): { readonly path: string; readonly world: World } {
  const { values, positionals } = readCommandLine(argv, { world: { type: 'string', default: 'test' } }, HELP)
  const [path, ...rest] = positionals
  if (path === undefined) throw new UsageError('Name the file to import.', HELP)
  rejectPositionals(rest, HELP)
  return { path, world: readWorld(values.world, HELP) }
}

async function importFile({ path, world }: { path: string; world: World }): Promise<number> {
  const file = await openFactFile(path).catch((error) => {
    throw new ConfigError(`${path} cannot be read: ${error.message}`)
  })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const startedAt = performance.now()
  const bar = progressBar(process.stderr, { bytes: file.bytes })
  const config = loadConfig()
  const report = await withDatabases(config, async (databases) =>
    importFacts({
      db: databases[world],
      rules: factRules(happeningSettings(config, await secretOf(config))),
      file,
      name: basename(path),
      refusedLines: (linesDone) => openRefusedLines(refusedPath(path), linesDone),
      onProgress: ({ linesDone, bytesDone, refused }) => bar.show({ lines: linesDone, bytes: bytesDone, refused }),
      signal: stopping.signal,
    }),
  ).finally(() => bar.end())
  say(summary(report, { path, world, seconds: (performance.now() - startedAt) / 1_000 }))
  if (!report.finished) return EXIT_INTERRUPTED
  return report.refused === 0 ? 0 : EXIT_SOME_REFUSED
}

/** The service's own secret, because the service must be able to open the keys under which credits are published. */
function secretOf({ secret, dataDirectory }: Config): Promise<string> | string {
  return secret ?? embeddedSecret(resolve(dataDirectory))
}

const refusedPath = (path: string) => `${path}.refused.ndjson`

type Where = { readonly path: string; readonly world: World; readonly seconds: number }

function summary(report: ImportReport, { path, world, seconds }: Where): string {
  const { continuedAfter, applied, duplicate, refused, linesDone, finished } = report
  const count = (number: number) => number.toLocaleString('en')
  return [
    ...(continuedAfter > 0 ? [`Continued after line ${count(continuedAfter)}, where an earlier run had stopped.`] : []),
    `${path} into ${world}: ${count(applied)} applied, ${count(duplicate)} already there, ` +
      `${count(refused)} refused, in ${seconds.toFixed(1)} s.`,
    ...(refused > 0 ? [`The rejected lines are in ${refusedPath(path)}, each with its reason.`] : []),
    ...(finished ? [] : [`Stopped after line ${count(linesDone)}. The same command continues from there.`]),
  ].join('\n')
}

await runCommand((argv) => importFile(readArguments(argv)))
