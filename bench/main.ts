import { measureCatalog } from './catalog/catalog.ts'
import { measureFacts } from './facts.ts'
import { measureLedger } from './ledger/ledger.ts'
import { measureLimits } from './limits/limits.ts'
import { measurePipelining } from './pipelining.ts'
import { measureReferrals } from './referrals/referrals.ts'
import { measureSeed } from './seed.ts'
import { measureTokenCheck } from './tokens/token-check.ts'
import { measureTokens } from './tokens/tokens.ts'
import { measureSender } from './webhooks/sender.ts'
import { measureWebhooks } from './webhooks/webhooks.ts'

/** `npm run bench -- facts`, and so on; README.md says what each measures. */
const BENCHES: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  catalog: measureCatalog,
  facts: measureFacts,
  ledger: measureLedger,
  limits: measureLimits,
  pipelining: measurePipelining,
  referrals: measureReferrals,
  seed: measureSeed,
  sender: measureSender,
  tokens: measureTokens,
  'token-check': measureTokenCheck,
  webhooks: measureWebhooks,
}

const [name = '', ...argv] = process.argv.slice(2)
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [--option value]\n`)
  process.exit(2)
}
await bench(argv)
