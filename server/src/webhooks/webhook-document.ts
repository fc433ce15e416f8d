import { ATTEMPT_AFTER_SECONDS, JITTER } from './retry-policy.ts'

const BEGIN = '<!-- The table below is generated from the retry policy by `npm run generate`; do not edit. -->'
const END = '<!-- End of the table. -->'

/** docs/webhooks.md with its generated table of attempts; the rest is written by hand. */
export function webhookDocument(current: string): string {
  const [before, rest] = [current.indexOf(BEGIN), current.indexOf(END)]
  if (before === -1 || rest === -1) throw new Error('docs/webhooks.md has lost the marks of its table')
  return `${current.slice(0, before)}${BEGIN}\n\n${attemptTable()}\n\n${current.slice(rest)}`
}

function attemptTable(): string {
  const rows = ATTEMPT_AFTER_SECONDS.map((seconds, index) => {
    const total = ATTEMPT_AFTER_SECONDS.slice(0, index + 1).reduce((sum, each) => sum + each, 0)
    return `| ${index + 1} | ${index === 0 ? 'at once' : spoken(seconds)} | ${index === 0 ? '0' : spoken(total)} |`
  })
  const heading = `| attempt | after the one before (±${JITTER * 100} %) | since the first, about |\n|---|---|---|`
  return [heading, ...rows].join('\n')
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** The two largest units say enough. */
function spoken(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(left / size)
    left %= size
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return parts.slice(0, 2).join(' ')
}
