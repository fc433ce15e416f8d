import { command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { explained } from '../connection/explain.ts'
import { EXIT } from '../failure.ts'
import { forward, readForwardUrl } from '../listen/forward.ts'
import { readSigningSecret } from '../listen/place.ts'
import { newDeliveryId, newSigningSecret, readSignatureHeader } from '../listen/signature.ts'

type Finding = { readonly check: string; readonly ok: boolean; readonly text: string }

/** Well below the five minutes after which receivers reject a signature. */
const SKEW_MAX_SECONDS = 60

export const doctorCommand = command({
  name: 'doctor',
  summary: 'check the service, the clock, the credential and your receiver',
  usage: '[--forward-to URL]',
  about: `Checks that the service answers, that the clock of this machine is right, that the credential works and that the app is installed.
With --forward-to it also sends your receiver two events. The receiver must accept the event with a valid signature, and reject the
event with a wrong signature.
The exit code is 6 if a check fails.`,
  options: { 'forward-to': { value: 'URL', about: 'the address of your receiver' } },
  examples: ['portico doctor', 'portico doctor --forward-to http://127.0.0.1:3000/hook'],
  run: async ({ values, printer, directory, signal, connect }) => {
    const url = readForwardUrl(values['forward-to'])
    const connection = await connect()
    const findings: Finding[] = []
    const add = (check: string, ok: boolean, text: string) => {
      findings.push({ check, ok, text })
      if (!printer.json)
        printer.line(
          `${ok ? printer.style('green', 'ok    ') : printer.style('red', 'FAILED')}  ${check.padEnd(13)}  ${text}`,
        )
    }
    const addError = (check: string, error: unknown) => {
      const { message, remedy = '' } = explained(error, connection.baseUrl, connection.parts.remedies)
      add(check, false, `${message} ${remedy}`.trim())
    }
    const attempt = async (check: string, work: () => Promise<string>) => {
      try {
        add(check, true, await work())
      } catch (error) {
        addError(check, error)
      }
    }
    await attempt('service', async () => {
      await connection.loose('nobody').get('/healthz')
      return `${connection.baseUrl} answers`
    })
    add('clock', ...(await clockFinding(connection)))
    await attempt(
      'credential',
      async () => `works as ${connection.parts.app?.name ?? 'the app'}, ${await probe(connection)}`,
    )
    await attempt('installations', () => installationsText(connection))
    if (url !== null) {
      try {
        for (const finding of await receiverFindings(connection, { url, directory, signal })) add(...finding)
      } catch (error) {
        // The name of the signature's header is read with the credential, which may be wrong.
        addError('receiver', error)
      }
    }
    if (printer.json) printer.document({ ok: findings.every(({ ok }) => ok), checks: findings })
    return findings.every(({ ok }) => ok) ? undefined : EXIT.differs
  },
})

async function probe(connection: Connection): Promise<string> {
  await connection.client('server').get('/events', { query: { per_page: 1 } })
  return connection.mode
}

async function clockFinding({ baseUrl }: Connection): Promise<[boolean, string]> {
  const before = Date.now()
  const response = await fetch(`${baseUrl}/healthz`).catch(() => null)
  const serviceTime = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(serviceTime)) return [false, 'the response of the service has no Date header']
  const seconds = Math.round(((before + Date.now()) / 2 - serviceTime) / 1_000)
  if (Math.abs(seconds) <= SKEW_MAX_SECONDS)
    return [true, `within ${Math.max(1, Math.abs(seconds))} s of the service’s`]
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return [
    false,
    `this machine is ${Math.abs(seconds)} s ${direction} the service: a receiver on this machine would reject valid signatures because of their time. Set the clock of this machine.`,
  ]
}

async function installationsText(connection: Connection): Promise<string> {
  const all = await connection.client('server').list('/installations').toArray()
  const active = all.filter(({ status }) => status === 'active').length
  return active === 0
    ? 'none: the app gets events only from its installations (portico trigger installs it in the demo)'
    : `${active} active`
}

type Receiver = { readonly url: string; readonly directory: string; readonly signal: AbortSignal }

async function receiverFindings(
  connection: Connection,
  { url, directory, signal }: Receiver,
): Promise<[string, boolean, string][]> {
  const header = await readSignatureHeader(connection.client('server'))
  const secret = await readSigningSecret(directory)
  const payload = {
    id: `evt_test_${newDeliveryId().slice(4)}`,
    event: 'installation.test',
    created_at: new Date().toISOString(),
    mode: connection.mode,
    data: {},
  }
  const send = (signingSecret: string) => {
    const timestampSeconds = Math.floor(Date.now() / 1_000)
    return forward(
      url,
      {
        header,
        secret: signingSecret,
        deliveryId: newDeliveryId(),
        timestampSeconds,
        body: Buffer.from(JSON.stringify(payload)),
      },
      signal,
    )
  }
  const good = await send(secret)
  if (good.outcome !== 'answered')
    return [['receiver', false, `${url} does not answer (${good.reason}). Start your receiver.`]]
  const isAccepted = good.status >= 200 && good.status < 300
  const first: [string, boolean, string] = isAccepted
    ? ['receiver', true, `${url} accepts a signed event (${good.status})`]
    : [
        'receiver',
        false,
        `${url} answers ${good.status} to a signed event. Does it verify with the secret of portico listen, over the raw body?`,
      ]
  const bad = await send(newSigningSecret())
  const isForgeryAccepted = bad.outcome === 'answered' && bad.status >= 200 && bad.status < 300
  const second: [string, boolean, string] = isForgeryAccepted
    ? [
        'signature',
        false,
        `${url} accepts an event with a wrong signature. Verify the signature before you read the body.`,
      ]
    : ['signature', true, 'an event with a wrong signature is rejected']
  return [first, second]
}
