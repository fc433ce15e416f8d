import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

/**
 * Runs the proofs with their mutants, the attack simulation and the soaks; docs/proof.md says what they prove. Each wants
 * the machine for itself, so they run one after the other; the short form runs two at a time.
 */
const PROOFS = ['ledger', 'webhooks', 'referrals']
const MINUTES_MAX = 1_440

const USAGE = `Usage: npm run prove -- [${PROOFS.join('|')} …] [--short] [--minutes 10] [--seed 1]

  --short      everything that fits into a minute or two, with a fixed seed: what CI runs
  --minutes N  how long the ledger's simulation and the webhooks' soak run, each (default 10)
  --seed N     what every choice is made from (default 1)

Examples:
  npm run prove
  npm run prove -- ledger --minutes 60 --seed 7
  npm run prove -- --short
`

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string', default: '1' },
      },
    })
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
    const isKnown = positionals.every((name) => PROOFS.includes(name))
    if (!isKnown || !(minutes > 0 && minutes <= MINUTES_MAX) || !Number.isSafeInteger(seed) || seed < 0) return null
    return { help: values.help, short: values.short, minutes, seed, names: positionals }
  } catch {
    return null
  }
}

const asked = readArguments()
if (asked === null || asked.help) {
  process[asked === null ? 'stderr' : 'stdout'].write(USAGE)
  process.exit(asked === null ? 2 : 0)
}
const { short, minutes, seed, names } = asked
const vitest = await startVitest('test', [], {
  include: (names.length === 0 ? PROOFS : names).map((name) => `server/test/prove/${name}/*.proof.ts`),
  watch: false,
  fileParallelism: short,
  provide: { proof: { form: short ? 'short' : 'long', minutes, seed } },
} as Parameters<typeof startVitest>[2])
await vitest.close()
