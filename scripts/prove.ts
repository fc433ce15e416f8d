import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

/** `npm run prove -- [ledger|webhooks] --minutes 10 --seed 1`: the long proofs; docs/proof.md says what they prove. */
const PROOFS = ['ledger', 'webhooks']
const MINUTES_MAX = 1_440

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
const isKnown = positionals.every((name) => PROOFS.includes(name))
if (!isKnown || !(minutes > 0 && minutes <= MINUTES_MAX) || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write(`Usage: npm run prove -- [${PROOFS.join('|')}] [--minutes 10] [--seed 1]\n`)
  process.exit(2)
}
const wanted = positionals.length === 0 ? PROOFS : positionals
const vitest = await startVitest('test', [], {
  include: wanted.map((name) => `scripts/prove-${name}.ts`),
  watch: false,
  // One after the other: each wants the machine for itself.
  fileParallelism: false,
  provide: { proof: { minutes, seed } },
} as Parameters<typeof startVitest>[2])
await vitest.close()
