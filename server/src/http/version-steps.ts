import type { RawQuery } from './input/read-query.ts'
import type { Fields, VersionStep } from './version-step.ts'
import { ACTIVITY_STEPS } from './version-steps/activity.ts'
import { CAMPAIGN_STEPS } from './version-steps/campaigns.ts'
import { COMPANY_STEPS } from './version-steps/companies.ts'
import { CONNECTED_APP_STEPS } from './version-steps/connected-apps.ts'
import { CONTENT_STEPS } from './version-steps/content.ts'
import { DEAL_STEPS } from './version-steps/deals.ts'
import { FOLLOW_STEPS } from './version-steps/follows.ts'
import { HOSTED_LINK_STEPS } from './version-steps/hosted-links.ts'
import { INSTALLATION_STEPS } from './version-steps/installations.ts'
import { INTENT_STEPS } from './version-steps/intents.ts'
import { LIST_STEPS } from './version-steps/lists.ts'
import { OFFERING_STEPS } from './version-steps/offerings.ts'
import { PORTFOLIO_STEPS } from './version-steps/portfolio.ts'
import { SYNDICATE_STEPS } from './version-steps/syndicates.ts'
import { VERSIONS, type Version } from './versions.ts'

export type { VersionStep } from './version-step.ts'

/** Every difference in shape there is, newest first. */
export const VERSION_STEPS: readonly VersionStep[] = [
  ...ACTIVITY_STEPS,
  ...CAMPAIGN_STEPS,
  ...COMPANY_STEPS,
  ...CONTENT_STEPS,
  ...CONNECTED_APP_STEPS,
  ...DEAL_STEPS,
  ...FOLLOW_STEPS,
  ...HOSTED_LINK_STEPS,
  ...INSTALLATION_STEPS,
  ...INTENT_STEPS,
  ...LIST_STEPS,
  ...OFFERING_STEPS,
  ...PORTFOLIO_STEPS,
  ...SYNDICATE_STEPS,
]

export type OperationSteps = {
  /** From the newest form to the version's. The very same value when the version differs in nothing. */
  response(version: Version, body: unknown, status: number): unknown
  /** Whether any step would touch an answer, so that nobody parses one for nothing. */
  changesResponse(version: Version): boolean
  /** From the version's form to the newest. */
  request(version: Version, body: unknown): unknown
  query(version: Version, query: RawQuery): RawQuery
}

/** The steps of one operation: answers go from the newest change back, requests from the oldest change forward. */
export function stepsOf(operation: string, steps: readonly VersionStep[]): OperationSteps {
  const mine = steps
    .filter(({ operations }) => operations === 'all' || operations.includes(operation))
    // The sort is stable: steps of one version keep the list's order for answers, and its reverse for requests.
    .toSorted((a, b) => VERSIONS.indexOf(b.before) - VERSIONS.indexOf(a.before))
  const newestFirst = (version: Version) => mine.filter(({ before }) => version < before)
  return {
    response: (version, body, status) =>
      newestFirst(version).reduce(
        (form, { response }) => (response === undefined ? form : response(form, status)),
        body,
      ),
    changesResponse: (version) => newestFirst(version).some(({ response }) => response !== undefined),
    request: (version, body) =>
      isFields(body)
        ? newestFirst(version).reduceRight((form, { request }) => (request === undefined ? form : request(form)), body)
        : body,
    query: (version, query) =>
      newestFirst(version).reduceRight((form, { query: step }) => (step === undefined ? form : step(form)), query),
  }
}

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
