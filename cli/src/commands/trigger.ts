import { setTimeout as wait } from 'node:timers/promises'
import { nearest } from '../arguments.ts'
import { command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { readEventTypes, readWholeNumber } from '../option-values.ts'
import { NOT_TRIGGERED, SCENARIOS } from '../trigger/scenarios.ts'
import { type CausedEvent, Stage, type Step } from '../trigger/stage.ts'

const LIST_WIDTH = 32
const COUNT_MAX = 1_000
const AMOUNT_MAX = 1_000_000_000

export const triggerCommand = command({
  name: 'trigger',
  summary: 'make an event really happen in the sandbox',
  usage: 'EVENT [--count N] [--amount UNITS]',
  about: `Makes an event really happen in the sandbox and prints all events that it caused. Records change, and every app that may see the event gets it.

In the demo the command installs the app first if that is needed. Events marked with * need the operator's key, which the demo has.

Events:

${Object.entries(SCENARIOS)
  .map(([name, { about, needsOperator }]) => `  ${`${name}${needsOperator ? ' *' : ''}`.padEnd(LIST_WIDTH)}${about}`)
  .join('\n')}`,
  options: {
    count: { value: 'N', about: `how many times (default: 1, at most ${COUNT_MAX.toLocaleString('en')})` },
    amount: {
      value: 'UNITS',
      about: 'the invested amount, in whole units (default: 250, which is $250.00)',
    },
    offering: { value: 'OFFERING', about: 'the offering in which the person invests' },
    investor: { value: 'USER', about: 'the person who invests' },
  },
  examples: [
    'portico trigger investment.created',
    'portico trigger investment.created --count 5 --amount 1000',
    'portico trigger syndicate_member.joined --json',
  ],
  words: { min: 1, max: 1 },
  offers: Object.keys(SCENARIOS),
  run: async ({ values, words: [name = ''], printer, connect }) => {
    const scenario = SCENARIOS[name]
    if (scenario === undefined) throw notTriggered(name)
    const [count, units] = [
      readWholeNumber('count', values.count ?? '1', { max: COUNT_MAX }),
      readWholeNumber('amount', values.amount ?? '250', { max: AMOUNT_MAX }),
    ]
    const connection = await connect()
    if (connection.mode === 'live')
      throw usageFailure('portico trigger works in the sandbox only.', 'Leave out --mode live.')
    if (scenario.needsOperator && connection.parts.operatorKey === null) throw needsOperatorKey(name)
    const choices = { offering: values.offering, investor: values.investor, amountCents: units * 100 }
    const show = ({ did, events }: Step) => {
      if (printer.json) return
      printer.line(`${printer.style('dim', '•')} ${did}`)
      for (const { id, event } of events)
        printer.line(`  ${printer.style('green', '→')} ${printer.style('bold', event)}  ${id}`)
    }
    const stage = new Stage(connection, choices, show)
    const since = await worldTime(connection)
    for (let done = 0; done < count; done++) await scenario.play(stage)
    const events = stage.steps.flatMap((step) => step.events)
    const received = await isReceived(connection, { name, since, last: events.findLast(({ event }) => event === name) })
    if (printer.json) printer.document({ event: name, count, steps: stage.steps, received })
    else printer.note(receivedText(name, received, connection.parts.app?.name ?? 'The app'))
    return undefined
  },
})

function needsOperatorKey(name: string): Failure {
  const without = Object.keys(SCENARIOS).filter((each) => SCENARIOS[each]?.needsOperator === false)
  return new Failure(`portico trigger ${name} needs the operator’s key, which only the host platform has.`, {
    exit: EXIT.credential,
    type: 'no_operator_key',
    remedy: `Set PORTICO_OPERATOR_KEY, or trigger an event that works without: ${without.join(', ')}.`,
  })
}

function notTriggered(name: string) {
  const why = NOT_TRIGGERED[name]
  if (why !== undefined) return usageFailure(`portico trigger cannot cause ${name}.`, why)
  const near = nearest(name, Object.keys(SCENARIOS))
  const hint = near === null ? 'portico trigger --help lists the events.' : `Did you mean ${near}?`
  return usageFailure(`There is no event "${name}" to trigger.`, hint)
}

const POLL_WAITS_MS = [50, 150, 400, 1_000, 2_000, 4_000]

async function worldTime(connection: Connection): Promise<string> {
  return (await connection.client('sandbox').get('/sandbox/clock')).data.now
}

type Search = { readonly name: string; readonly since: string; readonly last: CausedEvent | undefined }

/**
 * Whether the app receives the event. Polls, because an event is listed a moment after it happened. `last` is undefined for
 * events that happen after the response, such as `investment.changed`: these are searched by name.
 */
async function isReceived(connection: Connection, { name, since, last }: Search): Promise<boolean> {
  for (const ms of POLL_WAITS_MS) {
    await wait(ms)
    const query = { types: readEventTypes([name]), since, per_page: 100 }
    const { data } = await connection.client('server').get('/events', { query })
    if (last === undefined ? data.length > 0 : data.some(({ id }) => id === last.id)) return true
  }
  return false
}

function receivedText(name: string, received: boolean, app: string): string {
  return received
    ? `${app} receives ${name}: portico listen shows it, and webhook endpoints get it.`
    : `${app} does not receive ${name}: its installation may not see it. portico installations shows the scopes.`
}
