import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { limitWords } from '../api/limit-names.ts'
import { Badge } from '../ui/badge.tsx'
import { Time } from '../ui/time.tsx'

type Item = Schemas['AppAttention']

const SEVERITY = {
  danger: ['danger', 'Broken'],
  warning: ['warning', 'Soon'],
  info: ['neutral', 'Open'],
} as const

type AttentionListProps = { readonly appId: string; readonly items: readonly Item[] }

export function AttentionList({ appId, items }: AttentionListProps) {
  if (items.length === 0) return <p className="hint">Nothing needs attention in this mode.</p>
  return (
    <ul className="rows attention">
      {items.map((item) => {
        const [tone, word] = SEVERITY[item.severity]
        const { text, action, to } = wordsOf(item)
        return (
          <li key={`${item.kind} ${item.subject} ${item.name}`}>
            <div>
              <p>
                <Badge tone={tone}>{word}</Badge> {text}
              </p>
            </div>
            <Link to={`/apps/${appId}/${to}`}>{action}</Link>
          </li>
        )
      })}
    </ul>
  )
}

type Words = { readonly text: ReactNode; readonly action: string; readonly to: string }

const DISABLED_BECAUSE: Readonly<Record<string, string>> = {
  failing: ', because no delivery succeeded for five days',
  gone: ', because it answered 410 Gone',
}

const APPROVALS: Readonly<Record<string, string>> = {
  investor_pii: 'investor names and emails',
  marketing_partner: 'the marketing partner program',
  founder: 'the founder program',
}

function wordsOf({ kind, subject, name, at, reason, scopes, count }: Item): Words {
  const when = at === null ? null : <Time at={at} />
  switch (kind) {
    case 'app_suspended':
      return { text: `The platform has suspended this app: ${reason}`, action: 'Open the settings', to: 'settings' }
    case 'app_disabled':
      return {
        text: 'This app is disabled. Its credentials are rejected.',
        action: 'Open the settings',
        to: 'settings',
      }
    case 'endpoint_disabled':
      return {
        text: `${name} is disabled${DISABLED_BECAUSE[reason ?? ''] ?? ''}. Its events wait for 90 days.`,
        action: 'Open the endpoint',
        to: `webhooks/${subject}`,
      }
    case 'endpoint_failing':
      return {
        text: (
          <>
            Deliveries to {name} fail. The first failure was {when}.
          </>
        ),
        action: 'Open the endpoint',
        to: `webhooks/${subject}`,
      }
    case 'limit_reached':
      return {
        text: (
          <>
            {(count ?? 0).toLocaleString('en')} requests were rejected with 429, over the limit “{limitNamed(name)}”,{' '}
            {when}.
          </>
        ),
        action: 'See the limits',
        to: 'limits',
      }
    case 'limit_near':
      return {
        text: (
          <>
            More than 80 % of the limit “{limitNamed(name)}” were used {when}.
          </>
        ),
        action: 'See the limits',
        to: 'limits',
      }
    case 'events_need_scope':
      return {
        text: (
          <>
            No event is sent to your endpoints, because the app does not declare <code>read:webhooks</code>.
          </>
        ),
        action: 'Add the scope',
        to: 'scopes',
      }
    case 'secret_ending':
      return {
        text: (
          <>
            The replaced secret of the key {name} stops working {when}.
          </>
        ),
        action: 'Open the key',
        to: `keys/${subject}`,
      }
    case 'signing_secret_ending':
      return {
        text: (
          <>
            The replaced signing secret of {name} stops signing {when}.
          </>
        ),
        action: 'Open the endpoint',
        to: `webhooks/${subject}`,
      }
    case 'scopes_not_consented':
      return {
        text: (
          <>
            {count === 1 ? '1 installation lacks' : `${count} installations lack`} <code>{scopes?.join(', ')}</code>,
            which people grant when they install the app again.
          </>
        ),
        action: 'See the installations',
        to: 'installations',
      }
    case 'approval_pending':
      return {
        text: (
          <>
            The platform has not yet decided on the request for {APPROVALS[name ?? ''] ?? name}, made {when}.
          </>
        ),
        action: 'See the programs',
        to: 'programs',
      }
  }
}

const limitNamed = (name: string | null) => limitWords(name ?? '').join(' for ')
