import { isScopeName, SCOPE_CATALOGUE } from '#access/scopes/index.ts'
import type { Letter } from '#mail/index.ts'
import type { Notice } from './store.ts'

type Words = {
  /** The subject after the name of the app. */
  readonly subject: string
  readonly lines: readonly string[]
  /** Text that a person wrote, which may be long. */
  readonly quote?: Letter['quote']
  readonly facts: readonly (readonly [label: string, value: string])[]
}

export function noticeLetter(notice: Notice): Letter {
  const { subject, lines, quote, facts } = wordsOf(notice)
  return {
    subject: `${notice.app_name}: ${subject}`,
    paragraphs: lines,
    ...(quote === undefined ? {} : { quote }),
    facts: [['App', notice.app_name], ['Mode', notice.world ?? 'test and live'], ...facts],
    notes: ['You get this because you are on the team of this app.'],
  }
}

const SEE_HISTORY = 'GET /webhook_endpoints/{id}/deliveries shows the responses of the endpoint.'
const RESUME =
  'Once it works again, send POST /webhook_endpoints/{id}/reenable. Waiting deliveries are then sent, the oldest first.'

function wordsOf(notice: Notice): Words {
  const { kind, details } = notice
  switch (kind) {
    case 'webhook_endpoint.failing':
      return {
        subject: 'a webhook endpoint is failing',
        lines: ['Deliveries to it fail. They are tried again for about three days.', SEE_HISTORY],
        facts: endpointFacts(notice),
      }
    case 'webhook_endpoint.disabled_soon':
      return {
        subject: 'a webhook endpoint will be disabled in a day',
        lines: ['It has not accepted any delivery for four days. After five days it will be disabled.', SEE_HISTORY],
        facts: endpointFacts(notice),
      }
    case 'webhook_endpoint.disabled': {
      const why =
        details.reason === 'gone' ? 'It answered 410 Gone.' : 'It has not accepted any delivery for five days.'
      return {
        subject: 'a webhook endpoint was disabled',
        lines: [`${why} Deliveries now wait until it is enabled again.`, RESUME],
        facts: endpointFacts(notice),
      }
    }
    case 'webhook_endpoint.secret_expiring':
      return {
        subject: 'a signing secret ends soon',
        lines: [
          'The signing secret of this endpoint was rotated. Until the time below, deliveries are also signed with the replaced secret; after it, only with the new one.',
          'If your receiver still verifies with the replaced secret, give it the new one before then. Otherwise you need not do anything.',
        ],
        facts: [...endpointFacts(notice), ...endFacts(notice)],
      }
    case 'app_key.secret_expiring':
      return {
        subject: 'a client secret ends soon',
        lines: [
          'The secret of this key was rotated. The replaced secret works until the time below, and after it requests with it get 401 invalid_client.',
          'If one of your services still uses the replaced secret, give it the new one before then. Otherwise you need not do anything.',
        ],
        facts: [['Key', `${details.name ?? ''} (${notice.subject})`], ...endFacts(notice)],
      }
    case 'app.suspended':
      return {
        subject: 'the app was suspended',
        lines: [
          'The operator of the platform suspended the app. From now on its credentials are rejected, it cannot be installed, and deliveries to its webhook endpoints are canceled.',
          'Only the operator can lift the suspension: resolve the reason with the operator. Tokens and installations are kept. They work again after the suspension, unless they end before that.',
        ],
        ...(details.reason ? { quote: { from: 'The operator’s reason', text: details.reason } } : {}),
        facts: [],
      }
    case 'app.suspension_lifted':
      return {
        subject: 'the suspension was lifted',
        lines: [
          'The operator of the platform lifted the suspension of the app. It is again in the state that your team had set, and tokens that did not end meanwhile work again.',
          'Deliveries that were canceled meanwhile are not sent automatically. To send them, replay them (POST /webhook_endpoints/{id}/replay).',
        ],
        facts: [],
      }
    case 'app.approved':
      return {
        subject: 'the app was approved',
        lines: ['The operator of the platform approved the app. People outside your team can now install it.'],
        facts: [],
      }
    case 'app.pii_approved':
      return {
        subject: 'the app was approved for investor PII',
        lines: [
          'The operator of the platform approved the app for names and addresses of investors (read:investors:pii).',
          'Installations made from now on can have the scope. Existing installations do not gain it: install the app again.',
        ],
        facts: [],
      }
    case 'app.program_granted':
      return {
        subject: 'the app was let into a program',
        lines: ['The operator of the platform let the app into the program. The program’s scopes are on the app now.'],
        facts: programFacts(notice),
      }
    case 'app.request_declined':
      return {
        subject: `${DECLINED[details.request ?? 'approval']} was declined`,
        lines: [
          'The operator of the platform declined the request. Nothing else about the app changed. You can ask again.',
        ],
        ...(details.reason ? { quote: { from: 'The operator’s reason', text: details.reason } } : {}),
        facts: programFacts(notice),
      }
    case 'app.scopes_removed':
      return {
        subject: 'scopes were removed from the app',
        lines: [
          `${details.by === 'team' ? 'A member of your team' : 'The operator of the platform'} removed ${scopeCount(details)} from the app. It took effect at once, in both modes.`,
          'Requests that need a removed scope now get 403 insufficient_scope, and tokens that carried it get 401 invalid_token. If the app declares the scope again, people have to grant it again, by a new consent or a new installation.',
        ],
        facts: [...(details.scopes ?? []).map(scopeFact), ...stoppedFacts(notice)],
      }
    case 'app.pii_withdrawn':
      return {
        subject: 'the approval for investor PII was withdrawn',
        lines: [
          'The operator of the platform withdrew the approval of the app for names and addresses of investors (read:investors:pii).',
          'Installations that had the scope by this approval are revoked, with their tokens. They can be installed again, without it.',
        ],
        facts: stoppedFacts(notice),
      }
    case 'app.conditions_published':
      return {
        subject: 'a newer version of the usage conditions was published',
        lines: [
          'The operator of the platform published a newer version of the usage conditions of API access. New apps accept it when they are created; your app keeps the version that was accepted for it.',
          'Read it, and accept it for your app in the developer portal, in the settings of the app.',
        ],
        facts: [
          ['Version', details.version ?? ''],
          ['To read at', `/conditions/${details.version ?? ''}`],
        ],
      }
  }
}

const DECLINED = {
  approval: 'the approval of the app',
  pii: 'the request for investor PII',
  program: 'the request for a program',
} as const

function programFacts({ details: { program, tier } }: Notice): Words['facts'] {
  const atTier = tier == null ? [] : [['Tier', String(tier)] as const]
  return program == null ? [] : [['Program', program], ...atTier]
}

function endpointFacts({ subject, details: { url = '', failing_since } }: Notice): Words['facts'] {
  const since = failing_since == null ? [] : [['Failing since', failing_since] as const]
  return [['Endpoint', subject], ['URL', url], ...since]
}

function endFacts({ details: { expires_at } }: Notice): Words['facts'] {
  return expires_at === undefined ? [] : [['Ends at', toTheMinute(expires_at)]]
}

/** `2026-11-18T16:30:12.123456Z` as `2026-11-18 16:30 UTC`. */
const toTheMinute = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

const scopeCount = ({ scopes = [] }: Notice['details']) => (scopes.length === 1 ? 'a scope' : `${scopes.length} scopes`)

/** The name of a removed scope, with the sentence that people read before they grant the scope. */
function scopeFact(name: string): readonly [string, string] {
  return [name, isScopeName(name) ? SCOPE_CATALOGUE[name].consent : 'removed']
}

const STOPPED = [
  ['installs_narrowed', 'Installations narrowed'],
  ['installs_disconnected', 'Installations revoked'],
  ['tokens_revoked', 'Access tokens revoked'],
  ['refresh_tokens_revoked', 'Refresh tokens revoked'],
  ['endpoints_disabled', 'Webhook endpoints disabled'],
] as const

function stoppedFacts({ details: { stopped } }: Notice): Words['facts'] {
  if (stopped === undefined) return []
  return STOPPED.flatMap(([field, label]) => {
    const count = stopped[field]
    return count === undefined ? [] : [[label, String(count)] as const]
  })
}
