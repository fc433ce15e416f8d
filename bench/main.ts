import { HelpWanted, orExit, UsageError } from '../server/src/main/command-line.ts'
import { measureAll } from './all.ts'
import { measureApiProcesses } from './api-processes.ts'
import { measureCatalog } from './catalog/catalog.ts'
import { measureReplicas } from './catalog/replicas.ts'
import { measureFacts } from './facts.ts'
import { measureLedger } from './ledger/ledger.ts'
import { measurePages } from './ledger/pages-and-publishing.ts'
import { measureLimits } from './limits/limits.ts'
import { measurePipelining } from './pipelining.ts'
import { measurePortal } from './portal.ts'
import { measureReferrals } from './referrals/referrals.ts'
import { measureSeed } from './seed.ts'
import { measureStart } from './start.ts'
import { measureListen } from './stream/listen.ts'
import { measureStream } from './stream/stream.ts'
import { measureTokenCheck } from './tokens/token-check.ts'
import { measureTokens } from './tokens/tokens.ts'
import { measureTraces } from './traces/traces.ts'
import { measureSender } from './webhooks/sender.ts'
import { measureDeliveries, measureWebhooks } from './webhooks/webhooks.ts'

type Bench = readonly [measure: (argv: readonly string[]) => Promise<void>, what: string]

/** The benches by name; README.md describes how each one measures. */
const BENCHES: Readonly<Record<string, Bench>> = {
  all: [measureAll, 'all headlines with their goals; --report writes them to docs/performance.md'],
  catalog: [measureCatalog, 'the two hot public reads against a bare server, and search'],
  facts: [measureFacts, 'facts a second through HTTP, against the floor of the machine'],
  ledger: [measureLedger, 'pages of the ledger, publishing, and how soon a fact is seen'],
  deliveries: [measureDeliveries, 'the short form of webhooks: deliveries a second against bare undici'],
  limits: [measureLimits, 'what limits cost on a sync page, in process and in Redis'],
  listen: [measureListen, 'from a request to the event at portico listen, against webhook delivery'],
  pages: [measurePages, 'the short form of ledger: pages against the bare server, and publishing'],
  pipelining: [
    measurePipelining,
    'one connection that pipelines continuously, and how much slower other requests become',
  ],
  portal: [
    measurePortal,
    'the developer portal in Chromium: the time until a person can use it, and scrolling a long list',
  ],
  processes: [measureApiProcesses, 'sync pages of 1, 2 and 4 processes that answer requests'],
  referrals: [measureReferrals, 'publishing a week of credited investments, and reading a year of statistics'],
  replicas: [measureReplicas, 'the catalogue and search with one replica, against the primary only'],
  seed: [measureSeed, 'seeding a million investments: time and memory'],
  sender: [measureSender, 'the webhook sender alone against bare undici: processor time a request'],
  start: [measureStart, 'the first start and the next, step by step'],
  stream: [measureStream, 'open event streams: memory of each stream, and what all streams together read'],
  tokens: [measureTokens, 'client-credentials tokens a second, against oidc-provider'],
  'token-check': [measureTokenCheck, 'the token check before every request, among a million tokens'],
  traces: [measureTraces, 'a sync page and a catalogue read: without the code of traces, off, and on with 10 %'],
  webhooks: [measureWebhooks, 'deliveries a second against bare undici, isolation of endpoints, idle, memory'],
}

const HELP = `Usage: npm run bench -- NAME [--option N …]

Runs one bench, prints its tables and removes everything that the bench made (bench/README.md). NAME is one of:

${Object.entries(BENCHES)
  .map(([name, [, what]]) => `  ${name.padEnd(12)} ${what}`)
  .join('\n')}

npm run bench -- NAME --help lists the options of one of them.

Examples:

  npm run bench -- start
  npm run bench -- facts --count 100000
  npm run bench -- tokens --rounds 3 --seconds 2
`

const [name = '', ...argv] = process.argv.slice(2)
const [measure] = orExit((): Bench => {
  if (name === '--help' || name === '-h') throw new HelpWanted(HELP)
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
  if (bench !== undefined) return bench
  const problem = name === '' ? 'Name what to measure.' : `There is no bench named ${name}.`
  throw new UsageError(`${problem} There are ${Object.keys(BENCHES).join(', ')}.`, HELP)
})
await measure(argv)
