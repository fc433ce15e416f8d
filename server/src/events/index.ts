export type { Audience, ReceivingEndpoints } from './catalogue.ts'
export {
  type CatalogueEntry,
  carriesInstallation,
  coveredBy,
  covers,
  EVENT_CATALOGUE,
  EVENT_NAMES,
  isInCatalogue,
  isWildcard,
  SUBSCRIPTIONS,
  type Subscription,
  WILDCARDS,
} from './catalogue.ts'
export type { Envelope, TestEnvelope } from './envelope.ts'
export type { EventData, EventGroup, EventName, EventNameOf } from './event-data.ts'
export {
  appendEvent,
  appendEvents,
  appendEventsInto,
  EVENT_DAYS,
  eraseFromEvents,
  eventHorizon,
  type Forgotten,
  purgeEvents,
  wholeData,
} from './event-log.ts'
export { type InvestorPart, type InvestorTotals, investorTotals } from './investor-totals.ts'
export type { NewEvent, Occasion, RecordedEvent } from './new-event.ts'
export { ERASED_PERSON, TEST_EVENT_PREFIX, TEST_INSTALLATION_PREFIX } from './new-event.ts'
export { findCaused, findEvents, offTheQueue, type StoredEvent } from './store.ts'
