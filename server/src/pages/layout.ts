import type { World } from '#kernel/world.ts'
import { pageStyle } from './assets.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import {
  brandAddresses,
  brandOf,
  faviconAddress,
  type PlatformBrand,
  type PlatformLinks,
  type ShownBrand,
} from './platform-brand.ts'

export type Person = { readonly name: string; readonly email: string }

export type PageParts = {
  readonly title: string
  readonly main: Html
  /** The platform whose pages these are. */
  readonly brand?: ShownBrand
  /** The world of the page. In the test world every page shows a band, so that people do not take test data for real data. */
  readonly world?: World | null
  /** The signed-in person, with a button to sign out. Needs `csrf`, because signing out is a form. */
  readonly person?: Person | null
  readonly csrf?: string
  /** Whether the page is wide, for lists. Decisions stay in a narrow column. */
  readonly wide?: boolean
  /** Whether the page is shown in a frame of another site's page. The links of its footer then open a new window. */
  readonly embedded?: boolean
  /** The address of a style sheet that overrides the values of tokens.css, for pages in a frame of another site. */
  readonly theme?: string | null
  /**
   * The address of a script of this server, for the few pages that need one. Their content security policy must allow
   * it.
   */
  readonly script?: string
}

/** A whole page. It works without scripts, and loads files only from this server. */
export function page(parts: PageParts): string {
  const { title, main, brand = 'portico', world, person, csrf, wide, embedded = false, theme, script } = parts
  const { name, accent, logo, favicon, links } = brandOf(brand)
  const shownName = logo === null ? name : html`<img src="${brandAddresses.logo(logo)}" alt="${name}">`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${name}</title>
<link rel="stylesheet" href="${pageStyle().address}">${brandHead({ accent, favicon })}${theme && html`<link rel="stylesheet" href="${theme}">`}${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${world === 'test' && SANDBOX_BAND}
<header class="top"><p class="brand">${embedded ? shownName : html`<a href="/">${shownName}</a>`}</p>${person && whoIsHere(person, csrf)}</header>
<main id="main" tabindex="-1"${wide === true && html` class="wide"`}>
${main}
</main>
${footer(links, embedded)}
</body>
</html>
`.markup
}

const SANDBOX_BAND = html`<aside class="band" aria-label="Sandbox"><p><strong>Sandbox.</strong> Test data only: nothing here is real, and no money moves.</p></aside>`

function whoIsHere({ name, email }: Person, csrf: string | undefined): HtmlValue {
  const out =
    csrf !== undefined &&
    html`<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="link" type="submit">Sign out</button></form>`
  return html`<div class="person"><a href="/settings" title="${email}">${name}</a>${out}</div>`
}

/** The parts of the brand that a browser loads: the icon, and the colour after the page's own style sheet. */
export function brandHead({ accent, favicon }: Pick<PlatformBrand, 'accent' | 'favicon'>): Html {
  return html`<link rel="icon" href="${favicon === null ? faviconAddress(accent) : brandAddresses.favicon(favicon)}">${
    accent !== null && html`<link rel="stylesheet" href="${brandAddresses.style(accent)}">`
  }`
}

/** Links to the platform's own pages, if they are configured. */
export function platformLinks({ support, terms, privacy }: PlatformLinks, away = false): readonly Html[] {
  const named = [
    ['Support', support],
    ['Terms', terms],
    ['Privacy', privacy],
  ] as const
  return named.flatMap(([label, href]) =>
    href === null ? [] : [html`<a href="${href}"${away && NEW_WINDOW}>${label}</a>`],
  )
}

const NEW_WINDOW = html` target="_blank" rel="noopener"`

/** In an embedded page a link opens a new window, so that it does not replace the page in the frame. */
function footer(brandLinks: PlatformLinks, embedded: boolean): HtmlValue {
  const links = platformLinks(brandLinks, embedded)
  return links.length > 0 && html`<footer class="platform-links">${links}</footer>`
}

/** The tabs of the settings, in the order in which people see them. */
const SETTINGS_TABS = {
  profile: { label: 'Profile', path: '/settings' },
  security: { label: 'Security', path: '/settings/security' },
  apps: { label: 'Connected apps', path: '/settings/apps' },
  organizations: { label: 'Organizations', path: '/settings/organizations' },
  data: { label: 'Your data', path: '/settings/data' },
} as const

type SettingsTab = keyof typeof SETTINGS_TABS

type SettingsPageParts = Omit<PageParts, 'main' | 'wide' | 'person' | 'csrf'> & {
  /** The tab that this page belongs to; pages below a tab mark it too. */
  readonly tab: SettingsTab
  /** The heading, if it differs from the title of the window. */
  readonly heading?: HtmlValue
  /** One or two sentences under the heading. */
  readonly lead?: HtmlValue
  readonly person: Person
  readonly csrf: string
  readonly main: HtmlValue
}

/** A page of the settings: the tabs, the heading, the content. */
export function settingsPage({ tab, title, heading = title, lead, main, ...around }: SettingsPageParts): string {
  return page({
    ...around,
    title,
    wide: true,
    main: html`${settingsTabs(tab)}
<h1>${heading}</h1>${lead !== undefined && html`<p class="lead">${lead}</p>`}
${main}`,
  })
}

function settingsTabs(active: SettingsTab): Html {
  const links = Object.entries(SETTINGS_TABS).map(
    ([tab, { label, path }]) =>
      html`<li><a href="${path}"${tab === active && html` aria-current="page"`}>${label}</a></li>`,
  )
  return html`<nav class="tabs" aria-label="Settings"><ul>${links}</ul></nav>`
}
