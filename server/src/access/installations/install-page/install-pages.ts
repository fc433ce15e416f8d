import {
  closure,
  declaredIn,
  INVESTOR_PII,
  isScopeName,
  printScopes,
  SCOPE_CATALOGUE,
  type ScopeName,
} from '#access/scopes/index.ts'
import { emptyState, facts, points, radios, sentenceOf } from '#pages/blocks.ts'
import { actions, button, decisionBar, errorSummary, form, hidden, linkButton, moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { placeWords, returnPlace } from '#pages/return-place.ts'
import { type GrantOffer, grantOffer, type WhyWithheld, type Withheld } from '../grant-rules.ts'
import type { EligibleTarget } from '../install-app.ts'
import { grantedWords, type ScopeSentence } from '../scope-sentences.ts'
import type { InstallableTarget } from '../target-store.ts'
import {
  cancelButton,
  cancelForm,
  framed,
  type InstallEntry,
  type InstallFrame,
  type InstallResponse,
  installAddress,
  TIER_MEANS,
  TIER_NAMES,
  WHO_CAN,
} from './entry-guard.ts'

/** What this person would grant on the target, by the same rules as in `installApp`. */
export function offerAt({ client, onTeam }: InstallEntry, { tier, type }: InstallableTarget): GrantOffer {
  const { piiApproved } = client
  const declared = declaredIn(client.apiVersion, client.scopes)
  return grantOffer({ declared, requested: null, tier, targetType: type, onTeam, piiApproved })
}

/** The second step. `changes`: what changed since the person saw the page. */
export function confirmPage(
  frame: InstallFrame,
  target: InstallableTarget,
  changes: readonly string[] = [],
): InstallResponse {
  const { entry, brand, csrf } = frame
  const { app, client, query } = entry
  const offer = offerAt(entry, target)
  const address = installAddress(client.keyId, { state: query.state, target: target.id })
  const content = [
    place(entry, target),
    granted(target, offer),
    withheld(withheldWords({ ...offer, brand, name: target.name })),
    offer.granted.length > 0 && limits(target),
    form({ action: address, csrf, content: decision(entry, target, offer) }),
  ]
  const first = errorSummary(
    changes.map((message) => ({ message })),
    'Something changed since you opened this page. Nothing was installed; please look again.',
  )
  const title = `Install ${app.name} on ${target.name}`
  const question = html`Install <bdi>${app.name}</bdi> on <bdi>${target.name}</bdi>?`
  return framed(frame, { status: changes.length === 0 ? 200 : 409, title, question, first, content })
}

const KIND = { company: 'Company', syndicate: 'Syndicate' } as const

function place({ targets, client, query }: InstallEntry, { type, name, tier }: InstallableTarget): Html {
  const other = html`<span class="hint"><a href="${installAddress(client.keyId, { state: query.state })}">Choose another</a></span>`
  const only = html`<span class="hint">The only one you can install apps on.</span>`
  const chosen = html`<strong><bdi>${name}</bdi></strong> ${targets.length > 1 ? other : only}`
  const as = html`You are ${TIER_NAMES[tier]}<span class="hint">${TIER_MEANS[tier]}</span>`
  return facts([
    [KIND[type], chosen],
    ['Your role there', as],
  ])
}

function granted({ type, name }: InstallableTarget, offer: GrantOffer): HtmlValue {
  const { there, itself, elsewhere } = grantedWords(type, offer.granted)
  if (offer.granted.length === 0)
    return html`<p><strong>There is nothing that you can grant</strong>, so the app cannot be installed here.</p>`
  return html`<section class="stack"><h2>It will be able to</h2>
${there.length === 0 && html`<p>See and do nothing here: nothing that the app declares is about a ${type}.</p>`}
${group(html`With <bdi>${name}</bdi>, and no other ${type}`, there)}${group('For itself', itself)}${aside(type, elsewhere)}</section>`
}

function group(heading: HtmlValue, sentences: readonly ScopeSentence[]): HtmlValue {
  return sentences.length > 0 && html`<div><h3>${heading}</h3>${points(sentences.map(spoken))}</div>`
}

function spoken({ sentence, sensitive }: ScopeSentence): Html {
  return sentenceOf({ sentence, ...(sensitive === null ? {} : { sensitive }) })
}

/** Scopes that are granted but have no effect on this kind of target. */
function aside(type: InstallableTarget['type'], sentences: readonly ScopeSentence[]): HtmlValue {
  if (sentences.length === 0) return null
  const unused = sentences.map(({ sentence }) => sentence)
  return html`<details><summary>Also granted, without effect on a ${type}</summary>
<p class="small muted">The app declares these for people who connect it to their own account. Installed on a ${type}, it acts for the ${type} and not for you.</p>${points(unused)}</details>`
}

function withheld(words: ReturnType<typeof withheldWords>): HtmlValue {
  return words.length > 0 && html`<section class="stack"><h2>Not granted</h2>${points(words.map(sentenceOf))}</section>`
}

function limits({ type, name }: InstallableTarget): Html {
  const lasting = html`It stays installed until a person removes it, even after you have left. ${WHO_CAN[type]} of <bdi>${name}</bdi> can remove it at any time under <a href="/settings/apps">Connected apps</a>.`
  return html`<section class="stack"><h2>It will not be able to</h2>${points(['Invest, sign, or move money for you or others.'])}</section>
<section class="stack"><h2>How long it lasts</h2>${points([lasting])}</section>`
}

/** The form returns what the page showed, so that a changed grant is detected. */
function decision(
  { app }: InstallEntry,
  { id, name, tier }: InstallableTarget,
  { granted: scopes }: GrantOffer,
): HtmlValue {
  const cancel = (label: string) => button({ label, kind: 'secondary', name: 'decision', value: 'cancel' })
  if (scopes.length === 0) return actions(cancel(app.setupUrl === null ? 'Cancel' : `Return to ${app.name}`))
  const back =
    app.setupUrl !== null &&
    html`<p class="small muted">Either way you will be sent back to ${placeWords(returnPlace(app.setupUrl))}.</p>`
  return [
    hidden('target', id),
    hidden('tier', tier),
    hidden('scopes', printScopes(scopes)),
    decisionBar(
      button({ label: `Install ${app.name} on ${name}`, name: 'decision', value: 'install' }),
      cancel('Cancel'),
    ),
    back,
  ]
}

type WithheldWords = {
  /** Which scopes are not granted, and why. */
  readonly sentence: string
  /** What a person can do to grant them, or what the app gets without them. */
  readonly hint?: string
}

type WithheldFrom = {
  readonly withheld: readonly Withheld[]
  readonly granted: readonly string[]
  readonly brand: ShownBrand
  /** The company or syndicate. */
  readonly name: string
}

/**
 * Reasons that a person can resolve come first. The reasons that are missing here are mistakes of the app, which the page does not show.
 */
const SHOWN_REASONS: readonly WhyWithheld[] = [
  'pii_not_approved',
  'editor_no_writes',
  'founder_only',
  'must_be_listed',
  'not_for_installations',
]

/** The declared scopes that the app will not get, each with the reason. */
export function withheldWords(from: WithheldFrom): readonly WithheldWords[] {
  const byReason = Map.groupBy(from.withheld, ({ why }) => why)
  return SHOWN_REASONS.flatMap((why) => {
    const names = (byReason.get(why) ?? []).flatMap(({ scope }) => (isScopeName(scope) ? [scope] : []))
    return names.length === 0 ? [] : wordsFor(why, notImplied(names), from)
  })
}

function wordsFor(why: WhyWithheld, names: readonly ScopeName[], from: WithheldFrom): readonly WithheldWords[] {
  switch (why) {
    case 'pii_not_approved':
      return names.map((name) => piiWords(name, from))
    case 'editor_no_writes':
      return [
        {
          sentence: 'Anything that changes your company: not granted, because editors cannot grant it.',
          hint: `If the app needs it, ask a founder or admin of ${from.name} to install it.`,
        },
      ]
    case 'founder_only':
      return names.map((name) => notGranted(name, 'only a founder can grant it.'))
    case 'must_be_listed':
      return names.map((name) => notGranted(name, 'the app has to ask for it by name.'))
    default:
      return names.map((name) =>
        notGranted(name, isOwn(name) ? 'the app has this by itself.' : 'no installation has it.'),
      )
  }
}

function piiWords(name: ScopeName, { brand, granted }: WithheldFrom): WithheldWords {
  const why = `${brandName(brand)} has not approved this app for them.`
  if (name !== INVESTOR_PII) return notGranted(name, why)
  const sentence = `Investor names and emails: not granted, because ${why}`
  const seesNames = closure(granted.filter(isScopeName)).has('read:companies')
  return seesNames ? { sentence, hint: 'The app still receives an investor’s name when they invest.' } : { sentence }
}

function notGranted(name: ScopeName, why: string): WithheldWords {
  return { sentence: `${SCOPE_CATALOGUE[name].consent.replace(/\.$/, '')}: not granted, because ${why}` }
}

/** The app itself has the scope, independent of installations. */
function isOwn(name: ScopeName): boolean {
  return SCOPE_CATALOGUE[name].holders.every((holder) => holder === 'client')
}

/** Drops scopes that another listed scope implies. */
function notImplied(names: readonly ScopeName[]): readonly ScopeName[] {
  return names.filter((name) => !names.some((other) => other !== name && closure([other]).has(name)))
}

/** The first step: where to install the app. `mistaken`: the link named a target where this person may not install apps. */
export function choosePage(frame: InstallFrame, mistaken = false): InstallResponse {
  const { app, targets } = frame.entry
  const free = targets.filter(({ installation }) => installation === null)
  const taken = targets.filter(({ installation }) => installation !== null)
  const title = `Install ${app.name}`
  const content = [
    free.length > 0 && choices(frame, free),
    targets.length === 0 && (frame.entry.onTeam && frame.world === 'test' ? NOWHERE_YET : NOWHERE),
    taken.length > 0 && installedThere(frame.entry, taken),
    free.length === 0 && nothingToChoose(frame),
    cancelForm(frame),
  ]
  const first = mistaken && errorSummary([{ message: NOT_YOURS }], 'That cannot be chosen')
  const question =
    free.length > 0
      ? html`Where do you want to install <bdi>${app.name}</bdi>?`
      : taken.length > 0
        ? html`<bdi>${app.name}</bdi> is installed already`
        : html`Install <bdi>${app.name}</bdi>`
  return framed(frame, { status: mistaken ? 404 : 200, title, question, first, content })
}

/** For a person without a target, and for a person whose targets all have the app already. */
function nothingToChoose({ entry: { app, targets } }: InstallFrame): Html {
  const back = cancelButton(app.setupUrl === null ? 'Cancel' : `Return to ${app.name}`)
  return targets.length === 0 ? actions(back) : decisionBar(linkButton('Manage', '/settings/apps', 'primary'), back)
}

const NOT_YOURS =
  'The company or syndicate in the link is not one you can install apps on. Nothing was installed. Choose another, or ask a person who runs it.'

const NOWHERE = emptyState({
  title: 'There is nothing you can install it on',
  text: 'On a company, its founders, admins and editors install apps; on a syndicate, its managers. You have none of these roles. Send the link that led you here to a person who has one.',
})

const NOWHERE_YET = emptyState({
  title: 'You run no company in the sandbox yet',
  text: 'Press “Install on a sandbox company” under Installations in the developer portal. The button makes you the founder of a sandbox company, and brings you back here.',
})

/** A GET form that leads to the next step. It changes nothing, so the page can be reloaded. */
function choices({ entry: { client, query } }: InstallFrame, free: readonly EligibleTarget[]): Html {
  const groups = [
    ['Your companies', free.filter(({ type }) => type === 'company')],
    ['Your syndicates', free.filter(({ type }) => type === 'syndicate')],
  ] as const
  const fields = groups.map(([legend, some]) => some.length > 0 && radios(legend, some.map(choiceOf)))
  return html`<form method="get" action="${installAddress(client.keyId, {})}">
<p class="muted">Before anything happens, you see what the app would be able to do there.</p>
${query.state !== null && hidden('state', query.state)}${fields}
${decisionBar(button({ label: 'Continue' }), cancelButton('Cancel'))}</form>`
}

function choiceOf({ id, name, tier }: EligibleTarget) {
  return { name: 'target', value: id, sentence: name, hint: `You are ${TIER_NAMES[tier]}` }
}

function installedThere({ client, query, nowMs }: InstallEntry, taken: readonly EligibleTarget[]): Html {
  const details = (target: string) => installAddress(client.keyId, { state: query.state, target })
  const lines = taken.map(
    ({ id, name, installation }): HtmlValue =>
      installation !== null &&
      html`<bdi>${name}</bdi><span class="hint">Installed ${moment(installation.installedAt, nowMs)}. <a href="${details(id)}" aria-label="Details of the installation on ${name}">Details</a></span>`,
  )
  return html`<section class="stack"><h2>Installed already</h2>${points(lines)}
<p class="small muted">To change what it may do there, remove it under <a href="/settings/apps">Connected apps</a> and install it again.</p></section>`
}
