import { startVitest } from 'vitest/node'
import { orExit, readCommandLine, rejectPositionals, UsageError } from '../server/src/main/command-line.ts'

/**
 * Runs the proofs with their mutants, the attack simulation and the soaks; docs/proof.md says what they prove. Each
 * needs the whole machine, so they run one after the other; the short form runs two at a time.
 */
const PROOFS = ['ledger', 'webhooks', 'stream', 'sync', 'referrals', 'recovery', 'pages']
/** This proof runs the acceptance tests with every case of the accessibility checks. `npm test` is its short form. */
const PAGES = 'pages'
const MINUTES_MAX = 1_440

const HELP = `Usage: npm run prove -- [${PROOFS.join('|')} …] [--short] [--minutes 10] [--seed 1]

Runs the proofs that are named, or all of them (docs/proof.md).

  --short      everything that fits into a minute or two, with a fixed seed: what CI runs (of pages, npm test runs it)
  --minutes N  how long the ledger's simulation, the webhooks' soak, the readers of the stream and the copies run, each (default 10)
  --seed N     the number that decides every random choice (default 1)
  --help       print this

Examples:

  npm run prove
  npm run prove -- ledger --minutes 60 --seed 7
  npm run prove -- --short
`

const OPTIONS = {
  short: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
} as const

const { short, minutes, seed, names } = orExit(() => {
  const { values, positionals } = readCommandLine(process.argv.slice(2), OPTIONS, HELP)
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  rejectPositionals(
    positionals.filter((name) => !PROOFS.includes(name)),
    HELP,
  )
  if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
    throw new UsageError(`--minutes must be a number above 0, up to ${MINUTES_MAX}.`, HELP)
  }
  if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError('--seed must be a whole number from 0.', HELP)
  return { short: values.short, minutes, seed, names: positionals }
})
const chosen = (names.length === 0 ? PROOFS : names).filter((name) => !short || name !== PAGES)
process.env['PORTICO_TEST_PAGES'] = 'every case'
const vitest = await startVitest('test', [], {
  include: chosen.map((name) =>
    name === PAGES ? 'server/test/acceptance/**/*.test.ts' : `server/test/prove/${name}/*.proof.ts`,
  ),
  watch: false,
  fileParallelism: short,
  maxWorkers: short ? 2 : 1,
  provide: { proof: { form: short ? 'short' : 'long', minutes, seed } },
} as Parameters<typeof startVitest>[2])
await vitest.close()
