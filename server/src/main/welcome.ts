import type { Role } from './command-line.ts'
import type { ShownPerson } from './demo.ts'
import { inSeconds, type StepTime } from './start-steps.ts'

type Facts = {
  readonly role: Role
  /** The address on which the service listens. */
  readonly address: string
  /** The configured public address; null if there is none. */
  readonly baseUrl: string | null
  /** The directory of the embedded PostgreSQL; null with DATABASE_URL. */
  readonly dataDirectory: string | null
  readonly demo: { readonly file: string; readonly people: readonly ShownPerson[] } | null
  /** Null if an account can sign in already, if there is a demo, and in a worker process. */
  readonly firstAdminUrl: string | null
  readonly readyInMs: number
  readonly times: readonly StepTime[]
}

/** The text at the end of a start. Its curl line works when pasted. */
export function welcome(facts: Facts): string {
  const { address, demo, firstAdminUrl, readyInMs } = facts
  const paragraphs = [
    `Portico is ready (${inSeconds(readyInMs)} s${breakdown(facts.times)}).`,
    indented(addresses(facts)),
    ...(demo === null
      ? []
      : [
          'Sign in as one of the demo’s people:',
          indented(demo.people.map(({ email, password }): Row => [email, password])),
        ]),
    ...(firstAdminUrl === null
      ? []
      : [
          'No account can sign in yet. This link makes the first administrator, once, within an hour:',
          `  ${firstAdminUrl}`,
        ]),
    'Try it:',
    `  curl ${address}/healthz`,
    'Stop with Ctrl-C.',
  ]
  return `\n${paragraphs.join('\n\n')}\n\n`
}

type Row = readonly [name: string, value: string]

function addresses({ role, address, baseUrl, dataDirectory, demo }: Facts): readonly Row[] {
  const reached = baseUrl ?? address
  return [
    // A worker process serves only its health.
    ...(role === 'worker'
      ? []
      : ([
          ['Front page', `${reached}/`],
          ['Portal', `${reached}/developers`],
          ['API', reached],
          ['Reference', `${reached}/docs`],
        ] as const)),
    ...(role === 'worker' || reached !== address ? [['Listening', address] as const] : []),
    ['Readiness', `${address}/readyz`],
    ['Data', dataDirectory ?? 'your PostgreSQL (DATABASE_URL)'],
    ...(demo === null ? [] : [['Demo', demo.file] as const]),
  ]
}

/** Steps that took almost no time are left out. */
function breakdown(times: readonly StepTime[]): string {
  const shown = times.filter(({ ms }) => ms >= 50).map(({ name, ms }) => `${name} ${inSeconds(ms)}`)
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`
}

function indented(rows: readonly Row[]): string {
  const width = Math.max(11, ...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}
