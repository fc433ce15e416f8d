import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { facts, notice, points } from '#pages/blocks.ts'
import { button, decisionBar, form, hidden, linkButton } from '#pages/elements.ts'
import { type Frame, framedPage, refusalPage, type ShownPage } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { SECURITY_PATH } from '../factors/security-page.ts'
import { CONFIRM_PATH, type CommandLineRequest, codePhrase } from './sessions.ts'

type Around = Omit<Frame, 'world' | 'person'> & { readonly person: AccountCaller }

const MAY = [
  'See your organizations, their teams and apps, and what the apps receive and send.',
  'Create and change apps, scopes and webhook endpoints, as far as your role on each team goes.',
  'Create keys and rotate secrets, but only within minutes after you confirmed that it is you.',
]
const MAY_NOT = [
  'Invest, sign, approve or move money for you.',
  'Open your settings, or change your password, passkeys or address.',
]

/** Asks the signed-in person whether a command line may act for them. */
export function allowPage(around: Around, { redirectUri, challenge, device }: CommandLineRequest): ShownPage<200> {
  const { csrf, address } = around
  const phrase = facts([['Code phrase', html`<code class="whole">${codePhrase(challenge)}</code>`]])
  const below: HtmlValue[] = [
    html`<h2>It will be able to</h2>${points(MAY)}
<h2>It will not be able to</h2>${points(MAY_NOT)}
<h2>How long it lasts</h2>${points([
      html`Until you do not use it for 7 days, and 30 days at most. You can end it at any time under <a href="${SECURITY_PATH}">Security</a>.`,
    ])}`,
    form({
      action: address,
      csrf,
      content: [
        decisionBar(
          button({ label: 'Allow', name: 'decision', value: 'allow' }),
          button({ label: 'No, thank you', kind: 'secondary', name: 'decision', value: 'decline' }),
        ),
        html`<p class="small muted">Either way you return to the command line on this computer.</p>`,
      ],
    }),
  ]
  const shown = framedPage(
    { ...around, world: null },
    {
      status: 200,
      title: 'Allow the command line',
      question: html`Allow the command line on <bdi>${device}</bdi> to act for you?`,
      above: [
        phrase,
        notice(
          'Allow it only if you ran portico login yourself and your terminal shows the same code phrase.',
          'warning',
        ),
      ],
      below,
    },
  )
  const policy = pagePolicy({ formAction: [new URL(redirectUri).origin] })
  return { ...shown, headers: { 'Content-Security-Policy': policy } }
}

/**
 * One page for every mistake in the request, because the person cannot correct it. The page never redirects, because the redirect
 * URI may belong to an attacker.
 */
export function unreadablePage(around: Around): ShownPage<400> {
  const words = {
    status: 400 as const,
    title: 'This link is not complete',
    message: 'A command line sent you here, but its request cannot be read. Nothing was allowed.',
    remediation: 'Go back to the terminal and run portico login again.',
  }
  return refusalPage(words, { ...around, world: null })
}

/** Asks the person to confirm an act of their command line that needs a recent proof. */
export function confirmPage(
  around: Around,
  { session, device }: { readonly session: string; readonly device: string },
) {
  const content = [
    hidden('session', session),
    decisionBar(button({ label: 'Yes, it is me' }), linkButton('No, it is not me', SECURITY_PATH)),
  ]
  return framedPage(
    { ...around, world: null },
    {
      status: 200,
      title: 'Confirm for the command line',
      question: html`Are you using the command line on <bdi>${device}</bdi> right now?`,
      above: [
        html`<p>It is about to create or change a secret, or to delete something. That needs a recent confirmation by you.</p>`,
        notice(
          html`If you did not start this, choose No, it is not me, and end the session under <a href="${SECURITY_PATH}">Security</a>.`,
          'warning',
        ),
      ],
      below: [form({ action: CONFIRM_PATH, csrf: around.csrf, content })],
    },
  )
}

export function confirmedPage(around: Around, device: string) {
  return framedPage(
    { ...around, world: null },
    {
      status: 200,
      title: 'Confirmed',
      question: 'Confirmed',
      above: [html`<p>The command line on <bdi>${device}</bdi> continues by itself. You can close this page.</p>`],
    },
  )
}
