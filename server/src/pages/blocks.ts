import { type Html, type HtmlValue, html } from './html.ts'

/** The box in which a page shows one decision or one message. */
export function card(...content: readonly HtmlValue[]): Html {
  return html`<section class="card">${content}</section>`
}

export function notice(content: HtmlValue, kind: 'plain' | 'warning' | 'danger' = 'plain'): Html {
  const role = kind === 'danger' ? 'alert' : 'note'
  return html`<div class="${kind === 'plain' ? 'notice' : `notice ${kind}`}" role="${role}"><p>${content}</p></div>`
}

export function tag(text: string, kind: 'plain' | 'warning' | 'danger' = 'plain'): Html {
  return html`<span class="${kind === 'plain' ? 'tag' : `tag ${kind}`}">${text}</span>`
}

type AppParts = {
  readonly name: string
  readonly logoUrl?: string | null
  /** Lines under the name, such as the organization of the app, and where the person will return to. */
  readonly lines?: readonly HtmlValue[]
  /** The level of the heading. Null if the question of the page is the heading. */
  readonly heading?: 1 | 2 | null
}

/** The app that makes the request. */
export function appHead({ name, logoUrl, lines = [], heading = 1 }: AppParts): Html {
  const title =
    heading === null
      ? html`<p class="app-name"><bdi>${name}</bdi></p>`
      : heading === 1
        ? html`<h1>${name}</h1>`
        : html`<h2>${name}</h2>`
  return html`<div class="app">${mark(name, logoUrl)}<div>${title}${lines.map((line) => html`<p>${line}</p>`)}</div></div>`
}

/**
 * Shows a logo only if it is stored on this server, otherwise the first letter of the name. A logo loaded from the app's server
 * would reveal to the app who sees its consent screen, before that person has agreed to anything.
 */
function mark(name: string, logoUrl: string | null | undefined): Html {
  const ours = logoUrl?.startsWith('/') === true && !logoUrl.startsWith('//')
  const [initial = ''] = [...name.trim()]
  return ours
    ? html`<span class="mark"><img src="${logoUrl}" alt="" width="56" height="56"></span>`
    : html`<span class="mark" aria-hidden="true">${initial.toUpperCase()}</span>`
}

export type Choice = {
  readonly name: string
  readonly value: string
  readonly sentence: string
  /** What becomes visible to the app. A sentence with this text is marked as sensitive. */
  readonly sensitive?: string | undefined
  readonly hint?: string
  readonly checked?: boolean
}

/** Permissions to agree to, each a sentence with its own switch, under a heading. */
export function switches(legend: string, choices: readonly Choice[]): Html {
  return choiceList(legend, choices, (choice) => {
    const input = html`<input type="checkbox" role="switch" ${inputAttributes(choice)}>`
    return html`<label class="choice"><span>${sentenceOf(choice)}</span>${input}</label>`
  })
}

/** A choice of one option, such as the company to install on. */
export function radios(legend: string, choices: readonly Choice[]): Html {
  return choiceList(legend, choices, (choice) => {
    const input = html`<input type="radio" required ${inputAttributes(choice)}>`
    return html`<label class="choice before">${input}<span>${sentenceOf(choice)}</span></label>`
  })
}

function choiceList(legend: string, choices: readonly Choice[], row: (choice: Choice) => Html): Html {
  const rows = choices.map((choice) => html`<li>${row(choice)}</li>`)
  return html`<fieldset><legend>${legend}</legend><ul class="choices">${rows}</ul></fieldset>`
}

function inputAttributes({ name, value, checked }: Choice): Html {
  return html`name="${name}" value="${value}"${checked === true && html` checked`}`
}

/** The sentence of one permission, with a switch or as an item of a list. */
export function sentenceOf({ sentence, sensitive, hint }: Pick<Choice, 'sentence' | 'sensitive' | 'hint'>): Html {
  return html`${sentence}${sensitive !== undefined && html` ${tag('Sensitive', 'warning')}<span class="hint">${sensitive}</span>`}${
    hint !== undefined && html`<span class="hint">${hint}</span>`
  }`
}

/** Text that a partner or a person wrote, marked so that readers do not take it for a text of the platform. */
export function quotation(text: string, from: HtmlValue): Html {
  const lines = text.split('\n').map((line, at) => (at === 0 ? line : [html`<br>`, line]))
  return html`<figure class="quotation"><blockquote><p>${lines}</p></blockquote><figcaption class="hint">${from}</figcaption></figure>`
}

export function points(items: readonly HtmlValue[]): Html {
  return html`<ul class="points">${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

/** Names and values, one row each. */
export function facts(rows: readonly (readonly [term: string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Things of one kind, one card each. */
export function items(cards: readonly Html[]): Html {
  return html`<ul class="items">${cards.map((each) => html`<li>${each}</li>`)}</ul>`
}

/** The last line of an item: information on the left, an action on the right. */
export function itemFoot(known: HtmlValue, action: HtmlValue): Html {
  return html`<div class="item-foot"><span class="hint">${known}</span>${action}</div>`
}

type EmptyParts = { readonly title: string; readonly text: string; readonly action?: Html }

/** The text for an empty list: what will be listed here, and what to do first. */
export function emptyState({ title, text, action }: EmptyParts): Html {
  return html`<section class="empty"><h2>${title}</h2><p>${text}</p>${
    action !== undefined && html`<div class="actions">${action}</div>`
  }</section>`
}
