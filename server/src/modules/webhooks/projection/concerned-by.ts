import { type Audience, EVENT_CATALOGUE } from '#modules/events/index.ts'
import type { ConcerningEvent, ReceivingApp, ReceivingInstallation } from './receiver.ts'

type Receiver = { readonly app: ReceivingApp; readonly installation: ReceivingInstallation | null }

/**
 * The door of the catalogue through which an event comes to an installation, or to the app as such where there is none.
 * Null where none leads there. Asked at fan-out and again at every send, so that no row of the queue, however it came
 * there, shows an event to somebody it does not concern.
 */
export function concernedBy(event: ConcerningEvent, receiver: Receiver): Audience | null {
  return EVENT_CATALOGUE[event.name].audience.find(({ through }) => leads(through, event, receiver)) ?? null
}

function leads(through: Audience['through'], event: ConcerningEvent, { app, installation }: Receiver): boolean {
  if (installation === null) return through === 'app' && event.app_id === app.id
  switch (through) {
    case 'company':
    case 'syndicate':
    case 'user':
      return isOn(installation, through, event)
    // "Through the app's active installation on the session's company …, else through the one that created the session."
    case 'session_company':
      return event.app_id === app.id && isOn(installation, 'company', event)
    case 'session_creator':
      return event.installation_id === installation.id && !isElsewhere(installation, event)
    // "Only through an installation on the investment's company."
    case 'code_owner':
      return event.app_id === app.id && isOn(installation, 'company', event)
    case 'itself':
      return event.installation_id === installation.id
    case 'proposer':
      return event.app_id === app.id && (event.installation_id === installation.id || isOn(installation, 'user', event))
    case 'app':
      return false
  }
}

function isElsewhere(installation: ReceivingInstallation, event: ConcerningEvent): boolean {
  return installation.target.type !== 'syndicate' && !isOn(installation, 'company', event)
}

type TargetType = ReceivingInstallation['target']['type']

function isOn({ target }: ReceivingInstallation, type: TargetType, event: ConcerningEvent): boolean {
  return target.type === type && target.id === event[`${type}_id`]
}
