import type { Api } from '@portico/sdk'
import { command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { usageFailure } from '../failure.ts'
import { type Forwarded, readForwardUrl } from '../listen/forward.ts'
import { type ListenReport, listen } from '../listen/listener.ts'
import { PlaceFile, readSigningSecret } from '../listen/place.ts'
import { readSignatureHeader } from '../listen/signature.ts'
import { readEventTypes } from '../option-values.ts'
import type { Printer } from '../printer.ts'

export const listenCommand = command({
  name: 'listen',
  summary: 'receive events as they happen, and forward them to an address',
  usage: '[--forward-to URL] [--events NAMES] [--print json]',
  about: `Receives the app's events over the event stream and forwards each to an address on this machine, as a signed webhook request.

The place in the stream is stored in .portico/listen of this folder. Events that happen while the command is not running are sent when
it runs again, each once. Redelivered and replayed events are sent too. While no program listens at the address, events wait. If two
commands listen for two addresses, each gets every event.

The first start begins with the next event. Ctrl-C stops the command.`,
  options: {
    'forward-to': { value: 'URL', about: 'the address to send events to; without it they are only shown' },
    events: {
      value: 'NAMES',
      multiple: true,
      about: 'only these events, such as investment.created,offering.* (default: all)',
    },
    print: { value: 'json', about: 'print the body of each event as a line of JSON' },
    'from-now': { about: 'discard the stored place and begin with the next event' },
  },
  examples: [
    'portico listen --forward-to http://127.0.0.1:3000/hook',
    'portico listen --events investment.*,offering.opened',
    'portico listen --print json | jq .data.id',
    'portico listen --forward-to 3000/hook --json',
  ],
  onStop: 'finishes',
  run: async ({ values, printer, directory, signal, connect }) => {
    const forwardTo = readForwardUrl(values['forward-to'])
    if (values.print !== undefined && values.print !== 'json')
      throw usageFailure(`--print is json, not "${values.print}".`)
    const types = readEventTypes(values.events)
    const connection = await connect()
    const { clientId } = connection.serverKey()
    const { baseUrl, mode } = connection
    const app = connection.parts.app?.id ?? clientId
    const places = await PlaceFile.open(directory, { base_url: baseUrl, app, mode, forward_to: forwardTo })
    try {
      if (values['from-now']) await places.save({ last_event_id: null, pending: null })
      const secret = await readSigningSecret(directory)
      const show = values.json ? jsonReporter : values.print === 'json' ? bodyReporter : textReporter
      const client = connection.client('server')
      const signatureHeader = await readSignatureHeader(client)
      const report = show(printer, { forwardTo, secret, clockAheadMs: await readClockAheadMs(connection) })
      await listen({ client, places, types, forwardTo, secret, signatureHeader, signal, report })
      if (!values.json) printer.note('Stopped. The next start continues after the last event.')
    } finally {
      await places.close()
    }
    return undefined
  },
})

/**
 * How many milliseconds the clock of the world is ahead of real time. The times of events follow the clock of the
 * world.
 */
async function readClockAheadMs(connection: Connection): Promise<number> {
  if (connection.mode === 'live') return 0
  const { data } = await connection.client('sandbox').get('/sandbox/clock')
  return data.ahead_seconds * 1_000
}

type ReporterSettings = { readonly forwardTo: string | null; readonly secret: string; readonly clockAheadMs: number }
type Reporter = (printer: Printer, settings: ReporterSettings) => (report: ListenReport) => void

/**
 * How many milliseconds ago the event happened. Null if the result is negative, because the sandbox clock was moved
 * meanwhile.
 */
function latencyOf({ attributes }: Api.Event, clockAheadMs: number): number | null {
  const ms = Date.now() + clockAheadMs - Date.parse(attributes.created_at)
  return ms < 0 ? null : Math.round(ms)
}

const textReporter: Reporter =
  (printer, { forwardTo, secret, clockAheadMs }) =>
  (report) => {
    const warn = (text: string) => printer.note(printer.style('yellow', text))
    switch (report.kind) {
      case 'ready':
        printer.note(
          `Ready. ${report.resumed ? 'Continuing after the last event.' : 'Waiting for the next event.'} Ctrl-C stops.`,
        )
        if (forwardTo !== null)
          printer.note(`Forwarding to ${forwardTo}\nSigning secret: ${printer.style('bold', secret)}`)
        return
      case 'lost':
        return warn(
          `Connection lost: ${report.reason}. Connecting again in ${duration(report.retryMs)}; nothing is lost.`,
        )
      case 'back':
        return printer.note('Connected again, continuing after the last event.')
      case 'place_lost':
        warn(`The stored place is no longer valid: ${report.reason}`)
        return warn('Beginning with the next event. portico events list shows earlier ones.')
      case 'waiting':
        return warn(`Nothing answers at ${forwardTo} (${report.reason}). Events wait until it does.`)
      case 'receiver_back':
        return printer.note(`${forwardTo} answers again.`)
      case 'event':
        return printer.line(eventLine(printer, report, clockAheadMs))
    }
  }

type EventReport = Extract<ListenReport, { kind: 'event' }>

function eventLine(printer: Printer, { event, forwarded }: EventReport, clockAheadMs: number): string {
  const { id, attributes } = event
  const dim = (text: string) => printer.style('dim', text)
  const latency = latencyOf(event, clockAheadMs)
  const isResent = attributes.redelivery_of !== null
  const name = `${printer.style('bold', attributes.event)}${isResent ? ' (resent)' : ''}`
  const outcome = forwarded === null ? '' : `  ${outcomeText(printer, forwarded)}`
  const after = latency === null || isResent ? '' : dim(`  ${duration(latency)} after it happened`)
  const now = new Date().toTimeString().slice(0, 8)
  return `${dim(now)}  ${name}  ${id}${outcome}${after}`
}

function outcomeText(printer: Printer, forwarded: Forwarded): string {
  if (forwarded.outcome !== 'answered') return printer.style('red', `→ ${forwarded.reason}`)
  const { status, ms } = forwarded
  return `${printer.style(status >= 200 && status < 300 ? 'green' : 'red', `→ ${status}`)} in ${duration(ms)}`
}

/** Prints bodies to stdout, and everything else to stderr. */
const bodyReporter: Reporter = (printer, settings) => {
  const remarks = textReporter(printer, settings)
  return (report) => (report.kind === 'event' ? printer.entry(report.event.attributes.payload) : remarks(report))
}

const jsonReporter: Reporter =
  (printer, { forwardTo, secret, clockAheadMs }) =>
  (report) => {
    const at = new Date().toISOString()
    switch (report.kind) {
      case 'ready':
        return printer.entry({
          type: 'ready',
          at,
          resumed: report.resumed,
          forward_to: forwardTo,
          signing_secret: secret,
        })
      case 'lost':
        return printer.entry({ type: 'lost', at, reason: report.reason, retry_ms: report.retryMs })
      case 'waiting':
      case 'place_lost':
        return printer.entry({ type: report.kind, at, reason: report.reason })
      case 'back':
      case 'receiver_back':
        return printer.entry({ type: report.kind, at })
      case 'event': {
        const { id, attributes } = report.event
        const latency_ms = latencyOf(report.event, clockAheadMs)
        printer.entry({ type: 'event', at, id, ...attributes, forwarded: report.forwarded, latency_ms })
      }
    }
  }

function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}
