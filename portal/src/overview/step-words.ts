import type { Mode } from '../api/client.ts'
import { SANDBOX_COMPANY_WORDS } from '../installations/install-in-sandbox.tsx'
import type { Step } from './overview-query.ts'

type Words = {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly to: string
  readonly search?: Readonly<Record<string, unknown>>
}

/** With these scopes the app receives the events of investments and offerings, and can sync investments. */
const FIRST_SCOPES = ['read:webhooks', 'read:companies', 'read:investments']

/** The texts of each first step, and the page on which the person completes it. */
export function wordsOf(mode: Mode): Readonly<Record<Step['step'], Words>> {
  return {
    create_key: {
      title: `Create a ${mode} key`,
      text: 'A key identifies the app to the API. Its secret is shown once.',
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
      text: 'Scopes say what the app may read and change. We suggest three scopes, with which the app receives the events of investments.',
      action: 'Choose scopes',
      to: 'scopes',
      search: { add: FIRST_SCOPES },
    },
    add_endpoint: {
      title: 'Add a webhook endpoint',
      text: 'An endpoint is a URL of your server that receives events. You can send a signed test to it at once.',
      action: 'Add an endpoint',
      to: 'webhooks/new',
    },
    install: {
      title: 'Install the app',
      text:
        mode === 'test'
          ? SANDBOX_COMPANY_WORDS
          : 'A person installs it on a company or a syndicate, or consents for themselves. Your app then receives their events.',
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
