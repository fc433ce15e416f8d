import { parseArgs } from 'node:util'

type Bounds = { readonly usual: number; readonly most: number }

/** `--name N`, each between one and what the bench allows, and flags without a value. */
export function readOptions<Name extends string, Flag extends string>(
  argv: readonly string[],
  bounds: Readonly<Record<Name, Bounds>>,
  flags: readonly Flag[],
): { readonly numbers: Readonly<Record<Name, number>>; readonly flags: ReadonlySet<Flag> } {
  const options: Record<string, { type: 'string' | 'boolean' }> = {
    ...Object.fromEntries(Object.keys(bounds).map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])),
  }
  const values: Record<string, unknown> = parseArgs({ args: [...argv], options }).values
  const numbers = Object.entries<Bounds>(bounds).map(([name, { usual, most }]) => {
    const value = Number(values[name] ?? usual)
    if (!Number.isInteger(value) || value < 1 || value > most) throw new Error(`--${name} must be from 1 to ${most}`)
    return [name, value]
  })
  return {
    numbers: Object.fromEntries(numbers) as Record<Name, number>,
    flags: new Set(flags.filter((name) => values[name] === true)),
  }
}

/** `--count N`, between one and what the bench allows. */
export function readCount(argv: readonly string[], bounds: Bounds): number {
  return readOptions(argv, { count: bounds }, []).numbers.count
}
