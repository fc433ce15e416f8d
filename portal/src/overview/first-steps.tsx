import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Mode, Schemas } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { InstallInSandbox, SANDBOX_COMPANY_WORDS } from '../installations/install-in-sandbox.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Panel } from '../ui/page.tsx'

type Step = Schemas['AppOverview']['attributes']['first_steps'][number]

type Words = {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly to: string
  readonly search?: Readonly<Record<string, unknown>>
}

/** Enough for the events of investments and offerings, and to sync them. */
const FIRST_SCOPES = ['read:webhooks', 'read:companies', 'read:investments']

function wordsOf(mode: Mode): Readonly<Record<Step['step'], Words>> {
  return {
    create_key: {
      title: `Create a ${mode} key`,
      text: 'It identifies the app to the API. The secret is shown once.',
      action: 'Create a key',
      to: 'keys',
      search: { create: 'on' },
    },
    call_api: {
      title: 'Make the first API request',
      text: 'Read the public catalogue with the client id of the key. The request appears in the logs a second later.',
      action: 'Open the logs',
      to: 'logs',
      search: { live: 'on' },
    },
    declare_scopes: {
      title: 'Choose the scopes',
      text: 'They say what the app may read and change. Three are suggested, which receive the events of investments.',
      action: 'Choose scopes',
      to: 'scopes',
      search: { add: FIRST_SCOPES },
    },
    add_endpoint: {
      title: 'Add a webhook endpoint',
      text: 'A URL of yours that receives events. You can send it a signed test at once.',
      action: 'Add an endpoint',
      to: 'webhooks/new',
    },
    install: {
      title: 'Install the app',
      text:
        mode === 'test'
          ? SANDBOX_COMPANY_WORDS
          : 'On a company or a syndicate, or by a person who consents. From then on their events are yours.',
      action: 'See the installations',
      to: 'installations',
    },
    receive_event: {
      title: 'Receive the first event',
      text:
        mode === 'test'
          ? 'Make something happen in the sandbox, and answer the delivery with 2xx.'
          : 'Answer the first delivery with 2xx.',
      action: mode === 'test' ? 'Open the sandbox' : 'Open the deliveries',
      to: mode === 'test' ? 'sandbox' : 'webhooks/deliveries',
      search: mode === 'test' ? {} : { live: 'on' },
    },
  }
}

type FirstStepsProps = { readonly appId: string; readonly mode: Mode; readonly steps: readonly Step[] }

/** Until the first event is delivered. */
export function FirstSteps({ appId, mode, steps }: FirstStepsProps) {
  const words = wordsOf(mode)
  const next = steps.find(({ done }) => !done)?.step
  const count = steps.filter(({ done }) => done).length
  return (
    <Panel title="First steps" hint={`${count} of ${steps.length} done in ${mode} mode.`}>
      <ol className="rows steps">
        {steps.map(({ step, done }) => {
          const { title, text, action, to, search = {} } = words[step]
          return (
            <li key={step} className={done ? 'done' : ''}>
              <span className="step-mark">{done && <Icon name="check" />}</span>
              <div>
                <strong>
                  {title} {done && <span className="unseen">(done)</span>}
                </strong>
                {!done && <p className="hint">{text}</p>}
                {step === 'call_api' && step === next && <FirstRequest appId={appId} mode={mode} />}
              </div>
              {step === 'install' && mode === 'test' && !done && (
                <InstallInSandbox appId={appId} variant={step === next ? 'primary' : 'plain'} />
              )}
              {!done && !(step === 'install' && mode === 'test') && (
                <Link to={`/apps/${appId}/${to}`} search={search} className={step === next ? 'button primary' : ''}>
                  {action}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** It can be pasted as it is: the client id is not a secret. */
function FirstRequest({ appId, mode }: { readonly appId: string; readonly mode: Mode }) {
  const { data: keys = [] } = useQuery(keysQuery(appId))
  const key = keys.find(({ attributes }) => attributes.mode === mode && attributes.status === 'active')
  const line = `curl "${location.origin}/explore" -H "Authorization: Bearer ${key?.id ?? 'YOUR_CLIENT_ID'}"`
  return <CopyText value={line} label="Copy the request" />
}
