import { emptyState, points, radios } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, hidden } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import type { EligibleTarget } from '../install-app.ts'
import { type Answer, type InstallVisit, installAddress } from './entry-guard.ts'
import { cancelButton, cancelForm, type Frame, framed, TIER_NAMES } from './frame.ts'

/** The first step: where the app is to be installed. `mistaken` where a target was named that is not theirs. */
export function choosePage(frame: Frame, mistaken = false): Answer {
  const { app, targets } = frame.entered
  const free = targets.filter(({ installation }) => installation === null)
  const taken = targets.filter(({ installation }) => installation !== null)
  const title = `Install ${app.name}`
  const content = [
    free.length > 0 && choices(frame, free),
    targets.length === 0 && NOWHERE,
    taken.length > 0 && installedThere(frame.entered, taken),
    free.length === 0 && actions(cancelButton(app.setupUrl === null ? 'Cancel' : `Return to ${app.name}`)),
    cancelForm(frame),
  ]
  const first = mistaken && errorSummary([{ message: NOT_YOURS }], 'That cannot be chosen')
  return framed(frame, { status: mistaken ? 404 : 200, title, first, content })
}

const NOT_YOURS =
  'The company or syndicate in the link is not one you can install apps on. Nothing was installed. Choose another, or ask somebody who runs it.'

const NOWHERE = emptyState({
  title: 'There is nothing you can install it on',
  text: 'On a company, its founders, admins and editors install apps; on a syndicate, its managers. You are none of these anywhere. Send the link that led you here to somebody who is.',
})

/** A link of the next step, as a form: it changes nothing, and can be loaded again. */
function choices({ entered: { app, client, query } }: Frame, free: readonly EligibleTarget[]): Html {
  const groups = [
    ['Your companies', free.filter(({ type }) => type === 'company')],
    ['Your syndicates', free.filter(({ type }) => type === 'syndicate')],
  ] as const
  const fields = groups.map(([legend, some]) => some.length > 0 && radios(legend, some.map(choiceOf)))
  return html`<form method="get" action="${installAddress(client.keyId, {})}">
<h2>Where do you want to install <bdi>${app.name}</bdi>?</h2>
<p class="muted">You see what it would be able to do there before anything happens.</p>
${query.state !== null && hidden('state', query.state)}${fields}
${actions(button({ label: 'Continue' }), cancelButton('Cancel'))}</form>`
}

function choiceOf({ id, name, tier }: EligibleTarget) {
  return { name: 'target', value: id, sentence: name, hint: `You are ${TIER_NAMES[tier]}` }
}

function installedThere({ client, query, nowMs }: InstallVisit, taken: readonly EligibleTarget[]): Html {
  const details = (target: string) => installAddress(client.keyId, { state: query.state, target })
  const lines = taken.map(
    ({ id, name, installation }): HtmlValue =>
      installation !== null &&
      html`<bdi>${name}</bdi><span class="hint">Installed ${moment(installation.installedAt, nowMs)}. <a href="${details(id)}" aria-label="Details of the installation on ${name}">Details</a></span>`,
  )
  return html`<section class="stack"><h2>Installed already</h2>${points(lines)}
<p class="small muted">To change what it may do there, remove it under <a href="/settings/apps">Connected apps</a> and install it again.</p></section>`
}
