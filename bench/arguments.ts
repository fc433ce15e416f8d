import { parseArgs } from 'node:util'

/** `--count N`, between one and what the bench allows. */
export function readCount(
  argv: readonly string[],
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const { values } = parseArgs({ args: [...argv], options: { count: { type: 'string', default: String(usual) } } })
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1 || count > most) throw new Error(`--count must be from 1 to ${most}`)
  return count
}
