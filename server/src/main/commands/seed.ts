import { WORLDS, type World } from '#kernel/world.ts'
import { readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { loadDemo, type Seeded } from '../optional-workspaces.ts'
import { printMessage, readWorld, runCommand, withDatabases } from './run-command.ts'

const help = (most: number) => `Usage: npm run seed -- --investments N [--world ${WORLDS.join('|')}] [--events]

Fills a world with up to ${count(most)} made-up investments, for measurements. N is their total number, and includes the
investments of earlier runs. After Ctrl-C, the same command continues where it stopped.

  --investments N   the total number of seeded investments
  --world WORLD     the world to fill (default: test)
  --events          also record an investment.created for each
  --help            print this

Examples:

  npm run seed -- --investments 10000
  npm run seed -- --investments 100000 --world live --events
`

/** The exit code that a shell uses for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130

type Wanted = { readonly investments: number; readonly world: World; readonly events: boolean }

const OPTIONS = {
  investments: { type: 'string' },
  world: { type: 'string', default: 'test' },
  events: { type: 'boolean', default: false },
} as const

export function readArguments(argv: readonly string[], most: number): Wanted {
  const text = help(most)
  const { values, positionals } = readCommandLine(argv, OPTIONS, text)
  const { investments = '', world, events } = values
  rejectPositionals(positionals, text)
  if (!/^[1-9]\d{0,6}$/.test(investments) || Number(investments) > most) {
    throw new UsageError(`--investments must be a number from 1 to ${count(most)}.`, text)
  }
  return { investments: Number(investments), world: readWorld(world, text), events }
}

async function seed(argv: readonly string[]): Promise<number> {
  const { SEEDED_MAX, seedWorld } = await loadDemo()
  const { investments, world, events } = readArguments(argv, SEEDED_MAX)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  const report = await withDatabases(loadConfig(), (databases) =>
    seedWorld({
      db: databases[world],
      investments,
      events,
      onProgress: (done) =>
        printMessage(`${count(done)} of ${count(investments)} investments, ${seconds().toFixed(1)} s`),
      signal: stopping.signal,
    }),
  )
  printMessage(summary(report, { world, investments, seconds: seconds() }))
  return report.after < investments ? EXIT_INTERRUPTED : 0
}

type Where = { readonly world: World; readonly investments: number; readonly seconds: number }

function summary({ before, after }: Seeded, { world, investments, seconds }: Where): string {
  if (before >= investments) return `The ${world} world has ${count(before)} seeded investments already.`
  const rate = Math.round((after - before) / seconds)
  const added = `${count(after - before)} investments added to the ${world} world in ${seconds.toFixed(1)} s (${count(rate)}/s).`
  return after < investments ? `${added} Stopped; the same command continues from there.` : added
}

function count(number: number): string {
  return number.toLocaleString('en')
}

if (import.meta.main) await runCommand(seed)
