import type { Api } from '@portico/sdk'
import { type Command, command } from '../command.ts'
import { usageFailure } from '../failure.ts'
import { type Column, when } from '../printer.ts'

const COLUMNS: readonly Column<Api.Installation>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'on', text: ({ target }) => target.name ?? target.id, style: 'bold' },
  { title: 'type', text: ({ target }) => target.type },
  { title: 'status', text: ({ status }) => status },
  { title: 'tier', text: ({ tier }) => tier },
  { title: 'since', text: ({ installed_at }) => when(installed_at), style: 'dim' },
]

const installations = command({
  name: 'installations',
  summary: 'list where the app is installed, or show one with its scopes',
  usage: '[INSTALLATION]',
  options: {},
  examples: ['portico installations', 'portico installations inst_0VbIWuDFt3YydPyWqxIcTE5M --json'],
  words: { min: 0, max: 1 },
  run: async ({ words: [id], printer, connect }) => {
    const connection = await connect()
    const client = connection.client('server')
    if (id !== undefined) {
      const { data } = await client.get('/installations/{id}', { path: { id } })
      if (printer.json) printer.document(data)
      else {
        const { target, status, tier, scopes, installed_at, installed_by } = data
        printer.fields([
          ['id', data.id],
          ['on', `${target.name ?? ''} (${target.type} ${target.id})`.trim()],
          ['status', status],
          ['tier', `${tier}, installed by a ${installed_by.role}`],
          ['since', when(installed_at)],
          ['scopes', scopes.join(' ')],
        ])
      }
      return undefined
    }
    const rows = await client.list('/installations').toArray()
    if (printer.json) printer.document({ data: rows })
    else if (rows.length > 0) printer.table(COLUMNS, rows)
    else {
      const { clientId } = connection.serverKey()
      printer.note(`The app is installed nowhere. Install it: ${connection.baseUrl}/apps/${clientId}/install`)
    }
    return undefined
  },
})

function showClock(clock: Api.SandboxClock): readonly (readonly [string, string])[] {
  return [
    ['now', clock.now],
    ['ahead', clock.ahead_seconds === 0 ? '0: the sandbox shows real time' : clock.ahead],
  ]
}

const clockShow = command({
  name: 'clock',
  summary: 'show the clock of the sandbox',
  usage: '',
  options: {},
  examples: ['portico clock', 'portico clock advance P3D'],
  run: async ({ printer, connect }) => {
    const connection = await connect()
    if (connection.mode === 'live')
      throw usageFailure('Only the sandbox has a clock of its own.', 'Leave out --mode live.')
    const { data } = await connection.client('sandbox').get('/sandbox/clock')
    if (printer.json) printer.document(data)
    else printer.fields(showClock(data))
    return undefined
  },
})

const clockAdvance = command({
  name: 'clock advance',
  summary: 'move the clock of the sandbox forward (operator’s key)',
  usage: 'DURATION',
  about: `Moves the clock of the sandbox forward, for everyone who uses the sandbox. Events that are due by the new time happen within two seconds. The
clock never moves back. DURATION is ISO 8601 in weeks, days, hours, minutes and seconds: P1W, P3D, PT36H.`,
  options: {},
  examples: ['portico clock advance P3D', 'portico clock advance PT36H --json'],
  words: { min: 1, max: 1 },
  offers: ['P1D', 'P7D', 'P30D', 'PT1H'],
  run: async ({ words: [advance = ''], printer, connect }) => {
    const connection = await connect()
    if (connection.mode === 'live')
      throw usageFailure('Only the sandbox has a clock of its own.', 'Leave out --mode live.')
    const { data } = await connection.client('operator').post('/sandbox/clock', { body: { advance } })
    if (printer.json) printer.document(data)
    else printer.fields(showClock(data))
    return undefined
  },
})

export const sandboxCommands: readonly Command[] = [installations, clockShow, clockAdvance]
