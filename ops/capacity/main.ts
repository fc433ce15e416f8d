import { whole } from '../../bench/table.ts'
import { scriptOptions } from '../../server/src/main/command-line.ts'
import { firstBottleneck, type Install, resourcesOf } from './model.ts'

const HELP = `Usage: npm run ops:capacity

Computes from measured costs what an install of a given size uses of each machine, and what is used up first (docs/capacity.md).

Examples:

  npm run ops:capacity
`
scriptOptions({}, HELP)

/** From a small platform to the largest that the design is for. */
const INSTALLS: readonly Install[] = [
  { investments: 1e4, partners: 10, eventsPerSecond: 1 },
  { investments: 1e5, partners: 30, eventsPerSecond: 10 },
  { investments: 1e6, partners: 100, eventsPerSecond: 100 },
  { investments: 1e7, partners: 300, eventsPerSecond: 1_000 },
  { investments: 3e7, partners: 600, eventsPerSecond: 3_000 },
  { investments: 1e8, partners: 1_000, eventsPerSecond: 10_000 },
]

const columns = resourcesOf({ investments: 1, partners: 1, eventsPerSecond: 1 }).map(
  ({ name, unit }) => `${name}, ${unit}`,
)
const lines = [
  ['investments', 'partners', 'events/s', ...columns, 'used up first', 'what to do then'],
  ['---', '---', '---', ...columns.map(() => '---'), '---', '---'],
  ...INSTALLS.map((install) => {
    const { resource, share, isFull } = firstBottleneck(install)
    const sizes = [install.investments, install.partners, install.eventsPerSecond].map((size) => whole(size))
    const used = resourcesOf(install).map(({ used }) => whole(used, used < 10 ? 2 : 0))
    const first = `${resource.name} (${whole(share * 100, share < 0.1 ? 1 : 0)} %)`
    return [...sizes, ...used, first, isFull ? resource.lift : 'one machine is enough']
  }),
]
for (const cells of lines) process.stdout.write(`| ${cells.join(' | ')} |\n`)
