import type { Api } from '@portico/sdk'
import { type Command, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { forward, readForwardUrl } from '../listen/forward.ts'
import { readSigningSecret } from '../listen/place.ts'
import { newDeliveryId, readSignatureHeader } from '../listen/signature.ts'
import { readEventTypes, readLimit, readTime } from '../option-values.ts'
import { type Column, when } from '../printer.ts'

const COLUMNS: readonly Column<Api.Event>[] = [
  { title: 'when', text: ({ attributes }) => when(attributes.created_at), style: 'dim' },
  { title: 'event', text: ({ attributes }) => attributes.event, style: 'bold' },
  { title: 'id', text: ({ id }) => id },
  { title: 'installation', text: ({ attributes }) => attributes.installation_id ?? '–', style: 'dim' },
]

const eventsList = command({
  name: 'events list',
  summary: 'list the app’s events of the last 90 days',
  usage: '[--events NAMES] [--since TIME] [--limit N]',
  options: {
    events: { value: 'NAMES', multiple: true, about: 'only these events, such as investment.created,offering.*' },
    installation: { value: 'INSTALLATION', about: 'only events of this installation' },
    subject: { value: 'ID', about: 'only events about this company, offering, investment, session …' },
    since: { value: 'TIME', about: 'only events since this time: 2026-11-18T05:00:00Z, or 2h or 3d ago' },
    until: { value: 'TIME', about: 'only events before this time' },
    oldest: { about: 'show the oldest first' },
    limit: { value: 'N', about: 'how many at most (default: 25)' },
  },
  examples: [
    'portico events list',
    'portico events list --events investment.* --since 2h',
    'portico events list --limit 500 --json',
  ],
  run: async ({ values, printer, connect }) => {
    const limit = readLimit(values.limit)
    const connection = await connect()
    const [since, until] = [await readTime(connection, values.since), await readTime(connection, values.until)]
    const types = readEventTypes(values.events)
    const query = {
      ...(types.length === 0 ? {} : { types }),
      ...(values.installation === undefined ? {} : { installation_id: values.installation }),
      ...(values.subject === undefined ? {} : { subject_id: values.subject }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      order: values.oldest ? ('oldest' as const) : ('newest' as const),
      per_page: Math.min(limit, 100),
    }
    const rows = await connection.client('server').list('/events', { query }).toArray({ max: limit })
    if (printer.json) printer.document({ data: rows })
    else if (rows.length > 0) printer.table(COLUMNS, rows)
    else printer.note('There are no events. portico trigger investment.created causes one.')
    return undefined
  },
})

const eventsGet = command({
  name: 'events get',
  summary: 'show an event with its body',
  usage: 'EVENT [--installation INSTALLATION]',
  options: {
    installation: { value: 'INSTALLATION', about: 'the installation, if the event concerns several' },
  },
  examples: [
    'portico events get evt_0VbIWuIRqK9re0PjUg1xVVPM',
    'portico events get evt_0VbIWuIRqK9re0PjUg1xVVPM --json',
  ],
  words: { min: 1, max: 1 },
  run: async ({ values, words: [id = ''], printer, connect }) => {
    const { data } = await readEvent(await connect(), id, values.installation)
    if (printer.json) {
      printer.document(data)
      return undefined
    }
    const { event, created_at, installation_id, payload } = data.attributes
    printer.fields([
      ['id', data.id],
      ['event', event],
      ['when', when(created_at)],
      ['installation', installation_id ?? '–'],
    ])
    printer.line()
    printer.raw(`${JSON.stringify(payload, null, 2)}\n`)
    return undefined
  },
})

function readEvent(connection: Connection, id: string, installation: string | undefined) {
  if (!id.startsWith('evt_'))
    throw usageFailure(
      `"${id}" is not the id of an event.`,
      'An id begins with evt_: portico events list shows the ids.',
    )
  const query = installation === undefined ? {} : { installation_id: installation }
  return connection.client('server').get('/events/{id}', { path: { id }, query })
}

const eventsResend = command({
  name: 'events resend',
  summary: 'send an event again, to its endpoints or to your address',
  usage: 'EVENT [--endpoint ENDPOINT] [--forward-to URL]',
  about: `Sends each delivery of an event again: one for each webhook endpoint and installation. portico listen gets the event once for each new
delivery. With --forward-to only that address gets the event, signed with the secret of this folder.`,
  options: {
    endpoint: { value: 'ENDPOINT', about: 'only to this endpoint' },
    'forward-to': { value: 'URL', about: 'only to this address, and to no endpoint' },
    installation: { value: 'INSTALLATION', about: 'the installation, if the event concerns several' },
  },
  examples: [
    'portico events resend evt_0VbIWuIRqK9re0PjUg1xVVPM',
    'portico events resend evt_0VbIWuIRqK9re0PjUg1xVVPM --forward-to http://127.0.0.1:3000/hook',
  ],
  words: { min: 1, max: 1 },
  run: async ({ values, words: [id = ''], printer, directory, signal, connect }) => {
    const forwardTo = readForwardUrl(values['forward-to'])
    const connection = await connect()
    const { data: event } = await readEvent(connection, id, values.installation)
    if (forwardTo === null) {
      const onCut = (remark: string) => printer.note(remark)
      const sent = await redeliver(connection, event, { endpoint: values.endpoint, onCut })
      if (printer.json) printer.document({ event: event.id, deliveries: sent })
      else
        printer.line(
          `${event.attributes.event} is sent again: ${sent.length} ${sent.length === 1 ? 'delivery' : 'deliveries'}.`,
        )
      return undefined
    }
    const forwarded = await forward(
      forwardTo,
      {
        ...{
          header: await readSignatureHeader(connection.client('server')),
          secret: await readSigningSecret(directory),
        },
        ...{ deliveryId: newDeliveryId(), timestampSeconds: Math.floor(Date.now() / 1_000) },
        body: Buffer.from(JSON.stringify(event.attributes.payload)),
      },
      signal,
    )
    if (printer.json) printer.document({ event: event.id, forwarded })
    if (forwarded.outcome !== 'answered')
      throw new Failure(`${forwardTo} does not answer (${forwarded.reason}).`, { remedy: 'Start your receiver.' })
    if (!printer.json) printer.line(`${forwardTo} answered ${forwarded.status} in ${forwarded.ms} ms.`)
    return forwarded.status >= 200 && forwarded.status < 300 ? undefined : EXIT.failed
  },
})

type Sent = { readonly endpoint: string; readonly delivery: string; readonly redelivery_of: string }

const DELIVERIES_MAX = 1_000

type Redelivering = {
  /** Undefined for all endpoints of the app. */
  readonly endpoint: string | undefined
  /** Called with a remark about an endpoint that may have older deliveries of the event. These are not sent again. */
  readonly onCut: (remark: string) => void
  readonly max?: number
}

/**
 * Sends the event's original deliveries again: one for each endpoint and installation. Skips earlier redeliveries. The API has no
 * filter by event, so this reads the newest deliveries of each endpoint. A delivery is created after its event, so the
 * search is complete once it has read a delivery that is older than the event.
 */
export async function redeliver(
  connection: Connection,
  { id: event, attributes: { created_at: happenedAt } }: Api.Event,
  { endpoint: endpointId, onCut, max = DELIVERIES_MAX }: Redelivering,
): Promise<readonly Sent[]> {
  const client = connection.client('server')
  const endpoints =
    endpointId === undefined ? (await client.list('/webhook_endpoints').toArray()).map(({ id }) => id) : [endpointId]
  const sent: Sent[] = []
  const cut: string[] = []
  for (const endpoint of endpoints) {
    const list = client.list('/webhook_endpoints/{id}/deliveries', { path: { id: endpoint }, query: { per_page: 100 } })
    const rows = await list.toArray({ max: max + 1 })
    const originals = rows
      .slice(0, max)
      .filter(({ attributes }) => attributes.event_id === event && attributes.redelivery_of === null)
    const oldest = rows.length > max ? rows[max - 1] : undefined
    if (oldest !== undefined && Date.parse(oldest.attributes.created_at) >= Date.parse(happenedAt)) cut.push(endpoint)
    for (const { id } of originals) {
      const path = { id: endpoint, delivery_id: id }
      const { data } = await client.post('/webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver', { path })
      sent.push({ endpoint, delivery: data.id, redelivery_of: id })
    }
  }
  const newest = `the newest ${max.toLocaleString('en')} deliveries`
  if (sent.length > 0) {
    for (const endpoint of cut)
      onCut(`Only ${newest} to ${endpoint} were searched. Older deliveries of this event were not sent again.`)
    return sent
  }
  const failed = { exit: EXIT.notFound, type: 'no_delivery' } as const
  if (cut.length > 0) {
    throw new Failure(`${event} is not among ${newest} to ${cut.join(', ')}. Older deliveries were not searched.`, {
      ...failed,
      remedy: 'Redeliver it in the developer portal, or add --forward-to URL to send it to your own address.',
    })
  }
  throw new Failure(`No webhook endpoint received ${event}, so there is no delivery to send again.`, {
    ...failed,
    remedy: 'Add --forward-to URL to send it to your own address.',
  })
}

export const eventCommands: readonly Command[] = [eventsList, eventsGet, eventsResend]
