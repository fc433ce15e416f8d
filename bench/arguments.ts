import { orExit, readCommandLine, rejectPositionals, UsageError } from '../server/src/main/command-line.ts'

type Bounds = { readonly usual: number; readonly most: number }

/**
 * Reads options `--name N`, each from 1 to the maximum of the option, and flags without a value. An invalid argument
 * ends the process with code 2.
 */
export function readOptions<Name extends string, Flag extends string>(
  argv: readonly string[],
  bounds: Readonly<Record<Name, Bounds>>,
  flags: readonly Flag[],
): { readonly numbers: Readonly<Record<Name, number>>; readonly flags: ReadonlySet<Flag> } {
  const options: Record<string, { type: 'string' | 'boolean' }> = {
    ...Object.fromEntries(Object.keys(bounds).map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])),
  }
  const help = helpFor(bounds, flags)
  return orExit(() => {
    const { values, positionals } = readCommandLine(argv, options, help)
    rejectPositionals(positionals, help)
    const numbers = Object.entries<Bounds>(bounds).map(([name, { usual, most }]) => {
      const value = Number(values[name] ?? usual)
      if (Number.isInteger(value) && value >= 1 && value <= most) return [name, value]
      throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`, help)
    })
    return {
      numbers: Object.fromEntries(numbers) as Record<Name, number>,
      flags: new Set(flags.filter((name) => values[name] === true)),
    }
  })
}

function helpFor(bounds: Readonly<Record<string, Bounds>>, flags: readonly string[]): string {
  const name = process.argv[2] ?? 'NAME'
  const numbers = Object.entries(bounds)
  const lines = [
    ...numbers.map(([option, { usual, most }]) => `  --${option} N   1 to ${most} (default: ${usual})`),
    ...flags.map((flag) => `  --${flag}`),
  ]
  const [example] = numbers.map(([option, { usual }]) => `npm run bench -- ${name} --${option} ${usual}`)
  return `Usage: npm run bench -- ${name} [--option N …]

bench/README.md explains what this benchmark measures and what its options mean.

${lines.join('\n')}

Examples:

  npm run bench -- ${name}
  ${example ?? ''}
`
}

/** Reads `--count N`, from 1 to the maximum. */
export function readCount(argv: readonly string[], bounds: Bounds): number {
  return readOptions(argv, { count: bounds }, []).numbers.count
}
