import { printTable, whole } from '../../bench/table.ts'

/** What was checked, how many things were checked, and each fault that was found. */
export type Check = readonly [what: string, of: number, faults: readonly string[]]

/** Of the faults of a check, only this many are printed. */
const PRINTED_MAX = 5

/** Prints the number of faults of each check, and the first faults. Returns whether there were none. */
export function reportChecks(title: string, checks: readonly Check[]): boolean {
  printTable(title, [
    ['check', 'faults', 'of'],
    ...checks.map(([what, of, faults]) => [what, whole(faults.length), whole(of)] as const),
  ])
  for (const [what, , faults] of checks)
    for (const fault of faults.slice(0, PRINTED_MAX)) process.stdout.write(`${what}: ${fault}\n`)
  return checks.every(([, , faults]) => faults.length === 0)
}
