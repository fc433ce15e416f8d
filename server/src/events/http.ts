export { EventInstallation, envelopeSchema, TestInstallation, testEnvelopeSchema } from './envelope.ts'
export { EVENT_DATA, EVENT_EXAMPLES } from './event-data.ts'
