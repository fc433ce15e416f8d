import { readFileSync } from 'node:fs'
import { type CatalogueScope, holdableBy, SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { EVENT_CATALOGUE, EVENT_NAMES } from '#events/index.ts'
import type { ApiExamples } from '#http/openapi-examples.ts'
import type { Tag } from '#http/openapi-types.ts'
import { operationAddress, scopeAddress } from '#pages/reference/endpoints.ts'

/** The tags of the OpenAPI document and their descriptions, which are also the headings of the reference. */
export const API_TAGS: readonly Tag[] = [
  {
    name: 'Catalogue',
    description: 'Open offerings and their companies, as every visitor or as one user sees them.',
  },
  { name: 'Company content', description: 'The content of a company’s page: pitch, disclosures, updates, questions.' },
  { name: 'User', description: 'The user for whom a token acts.' },
  { name: 'Follows', description: 'The companies that a user follows.' },
  { name: 'Investments', description: 'Investment records: list them once, then sync what changed.' },
  { name: 'Portfolio', description: 'What a user’s investments cost, are worth and returned.' },
  { name: 'Companies', description: 'A company’s investors and rounds, for its team.' },
  { name: 'Campaigns', description: 'The campaigns of companies.' },
  { name: 'Syndicates', description: 'Syndicates, their members, deals and portfolios, for their managers.' },
  {
    name: 'Join sessions',
    description: 'Links and forms by which a person joins a syndicate from a partner’s site. Beta.',
  },
  { name: 'Investment sessions', description: 'Send a person to the checkout of an offering. Beta.' },
  { name: 'Invite links', description: 'Links that invite people to an offering.' },
  { name: 'Intents', description: 'Actions that an app proposes and a person approves.' },
  { name: 'Referral codes', description: 'Codes on links to companies’ pages, and weekly statistics about them.' },
  { name: 'Activity', description: 'What apps did for a user.' },
  { name: 'OAuth', description: 'Obtain, revoke and introspect tokens.' },
  { name: 'Installations', description: 'Install an app on companies and syndicates, and obtain tokens there.' },
  { name: 'Connected apps', description: 'The apps that a user has connected.' },
  {
    name: 'Webhooks',
    description:
      'Endpoints that receive events, and their deliveries. Every delivery is signed as Standard Webhooks says: `webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the part of the secret after `whsec_`, decoded from base64. Reject a request whose timestamp is more than five minutes old.',
  },
  { name: 'Events', description: 'The events that webhook endpoints receive, and an app’s stream of them.' },
  { name: 'Portal', description: 'Organizations, apps and keys, for the people who develop apps.' },
  { name: 'Platform feed', description: 'How the host platform reports what happens.' },
  { name: 'Platform partners', description: 'Apps, organizations and installations, for the host platform.' },
  { name: 'Platform staff', description: 'The people who run the platform, and the audit of what they did.' },
  {
    name: 'Platform operations',
    description: 'Queues, background jobs and figures, for the people who run the platform.',
  },
  { name: 'Platform accounts', description: 'The accounts with which people sign in, for the host platform.' },
  { name: 'Sandbox', description: 'Trigger platform changes in the test world.' },
  { name: 'Service', description: 'Health, readiness and metrics.' },
  { name: 'Reference', description: 'The API reference, the guides and the changelog.' },
  { name: 'Removed', description: 'Endpoints that were removed. They answer 410 to every caller.' },
]

const FILE = new URL('../../openapi-examples.json', import.meta.url)

/** Requests and responses of the demo world for the OpenAPI document; `npm run generate:examples` records them again. */
export function recordedExamples(): ApiExamples {
  return JSON.parse(readFileSync(FILE, 'utf8')) as ApiExamples
}

/** CHANGELOG.md of the repository, also shown in the reference. */
export function changelogText(): string {
  return readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
}

/** The scopes that a token of this kind may hold and that the document offers. */
export function offeredScopes(holder: 'user' | 'client'): readonly CatalogueScope[] {
  const entries = holdableBy(holder, SCOPE_NAMES).map((name) => SCOPE_CATALOGUE[name])
  return entries.filter(
    ({ group, obtained, beforeVersion }) => (group !== 'retired' || beforeVersion !== null) && obtained !== 'assistant',
  )
}

/** Every scope that the document offers, with the data that a program needs to manage apps. */
export function scopeFeed(): readonly object[] {
  return [...new Set([...offeredScopes('user'), ...offeredScopes('client')])].map((scope) => {
    const { name, group, consent, sensitive, implies, replacedBy, obtained, holders, program, beta, idle } = scope
    return {
      ...{ name, group, description: consent, sensitive, implies, replaced_by: replacedBy, obtained },
      ...{ holders, program, beta, accepted: !idle, url: scopeAddress(name) },
    }
  })
}

export function eventFeed(): readonly object[] {
  return EVENT_NAMES.map((name) => EVENT_CATALOGUE[name]).map(
    ({ name, group, description, audience, endpoints, since }) => ({
      ...{ name, group, description },
      audience: audience.map(({ through, scope }) => ({ through, scope })),
      bound_endpoints: endpoints === 'app_wide_and_bound',
      since,
      url: operationAddress('Events', `receive${pascalCase(name)}`),
    }),
  )
}

/** The name of an event's operation in the OpenAPI document. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
