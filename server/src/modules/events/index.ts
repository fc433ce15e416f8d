export { appendEvent } from './append-event.ts'
export { appendEvents } from './append-events.ts'
export { appendEventsInto } from './append-events-into.ts'
export type { Audience, Reach } from './audience.ts'
export { type CatalogueEntry, carriesInstallation, EVENT_CATALOGUE, EVENT_NAMES } from './catalogue.ts'
export {
  type Envelope,
  EventInstallation,
  envelopeSchema,
  TEST_EVENT_PREFIX,
  TEST_INSTALLATION_PREFIX,
  type TestEnvelope,
  TestInstallation,
  testEnvelopeSchema,
} from './envelope.ts'
export { eraseFromEvents, type Forgotten } from './erase-person.ts'
export {
  EVENT_DATA,
  EVENT_EXAMPLES,
  type EventData,
  type EventGroup,
  type EventName,
  type EventNameOf,
} from './event-data.ts'
export { type InvestorPart, type InvestorTotals, investorTotals } from './investor-totals.ts'
export type { NewEvent } from './new-event.ts'
export { NOBODY } from './nobody.ts'
export type { Occasion, RecordedEvent } from './occasion.ts'
export { EVENT_DAYS, eventHorizon, purgeEvents } from './purge-events.ts'
export { findCaused, findEvents, type StoredEvent } from './store.ts'
export { wholeData } from './whole-data.ts'
