import { type Html, type HtmlValue, html } from './html.ts'
import { type PageParts, type Person, page } from './layout.ts'

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
  /** What the person reads first, if it is not the title of the window. */
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
