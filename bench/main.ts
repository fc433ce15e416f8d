import { measureFacts } from './facts.ts'
import { measureSeed } from './seed.ts'

/** `npm run bench -- facts`, `npm run bench -- seed`. */
const BENCHES: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  facts: measureFacts,
  seed: measureSeed,
}

const [name = '', ...argv] = process.argv.slice(2)
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [--count N]\n`)
  process.exit(2)
}
await bench(argv)
