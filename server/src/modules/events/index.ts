export { appendEvent } from './append-event.ts'
export { appendEvents } from './append-events.ts'
export { appendEventsInto } from './append-events-into.ts'
export type { Audience, Reach } from './audience.ts'
export { type CatalogueEntry, carriesInstallation, EVENT_CATALOGUE, EVENT_NAMES } from './catalogue.ts'
export type { Envelope, TestEnvelope } from './envelope.ts'
export { eraseFromEvents, type Forgotten } from './erase-person.ts'
export type { EventData, EventGroup, EventName, EventNameOf } from './event-data.ts'
export { type InvestorPart, type InvestorTotals, investorTotals } from './investor-totals.ts'
export type { NewEvent } from './new-event.ts'
export { NOBODY } from './nobody.ts'
export type { Occasion, RecordedEvent } from './occasion.ts'
export { EVENT_DAYS, eventHorizon, purgeEvents } from './purge-events.ts'
export { findCaused, findEvents, type StoredEvent } from './store.ts'
export {
  coveredBy,
  covers,
  isInCatalogue,
  isWildcard,
  SUBSCRIPTIONS,
  type Subscription,
  WILDCARDS,
} from './subscriptions.ts'
export { TEST_EVENT_PREFIX, TEST_INSTALLATION_PREFIX } from './test-prefixes.ts'
export { wholeData } from './whole-data.ts'
