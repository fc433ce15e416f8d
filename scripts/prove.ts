import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

/** `npm run prove -- --minutes 10 --seed 1`: the long proof of the ledger; docs/proof.md says what it proves. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0 && minutes <= 1_440) || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write('Usage: npm run prove -- [--minutes 10] [--seed 1]\n')
  process.exit(2)
}
const vitest = await startVitest('test', [], {
  include: ['scripts/long-proof.ts'],
  watch: false,
  provide: { proof: { minutes, seed } },
} as Parameters<typeof startVitest>[2])
await vitest.close()
