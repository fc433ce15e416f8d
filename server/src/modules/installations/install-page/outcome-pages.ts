import { facts } from '#http/pages/blocks.ts'
import { linkButton } from '#http/pages/elements.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import type { Installation } from '../installation.ts'
import type { Answer } from './answer.ts'
import type { Arrived } from './arrive.ts'
import { type Frame, framed } from './frame.ts'
import { setupAnswer } from './setup-answer.ts'

/** For an app that has no page of its own to go on with. */
export function installedPage(frame: Frame, installation: Installation): Answer {
  const { app } = frame.arrived
  const name = installation.target.name ?? ''
  const title = `${app.name} is installed on ${name}`
  const content = [
    html`<h2><bdi>${app.name}</bdi> is installed on <bdi>${name}</bdi></h2>
<p>There is nothing more to do here, and you can close this page. How to go on, the people at <bdi>${app.organization.name}</bdi> will tell you.</p>`,
    about(frame.arrived, installation),
    REMOVAL,
  ]
  return framed(frame, { status: 200, title, content })
}

/** Chosen although it is installed there, or installed by a colleague between page and decision. */
export function alreadyInstalledPage(frame: Frame, installation: Installation, decided: boolean): Answer {
  const { arrived } = frame
  const { app, query } = arrived
  const name = installation.target.name ?? ''
  const onward =
    app.setupUrl !== null &&
    html`<div class="actions">${linkButton(`Continue to ${app.name}`, setupAnswer(app.setupUrl, { installation_id: installation.id }, query.state), 'primary')}</div>`
  const content = [
    html`<h2><bdi>${app.name}</bdi> is installed on <bdi>${name}</bdi> already</h2>
<p>An app is installed once on a ${installation.target.type}, so ${decided ? 'nothing was done now' : 'there is nothing to do'}. It is this installation:</p>`,
    about(arrived, installation),
    REMOVAL,
    onward,
  ]
  return framed(frame, { status: decided ? 409 : 200, title: `${app.name} is installed already`, content })
}

function about({ nowMs }: Arrived, { id, tier, installedAt }: Installation): HtmlValue {
  return facts([
    ['Installed', moment(installedAt, nowMs)],
    ['Tier', tier],
    ['Installation', html`<code>${id}</code>`],
  ])
}

const REMOVAL = html`<p>You can see what it may do there, and remove it, under <a href="/settings/apps">Connected apps</a>.</p>`

/** Where there is nobody to send the person back to. */
export function nothingInstalledPage(frame: Frame): Answer {
  const { app } = frame.arrived
  const content = html`<h2>Nothing was installed</h2>
<p>You canceled, and <bdi>${app.name}</bdi> got nothing. You can close this page.</p>`
  return framed(frame, { status: 200, title: 'Nothing was installed', content })
}
