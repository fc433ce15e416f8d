import { Type } from 'typebox'
import { type AccountRow, findAccount, NAME_CHARS_MAX, renameAccount } from '#access/accounts/index.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, line } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { card, facts, notice, tag } from '#pages/blocks.ts'
import { actions, button, field, form } from '#pages/elements.ts'
import { away } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { settingsPage } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Databases } from '#system/postgres/database.ts'
import {
  attempt,
  errorOf,
  FORM,
  FormResponses,
  formReader,
  PAGE,
  Page,
  type Rejection,
  summaryOf,
  typedIn,
  type Viewer,
} from './settings-form.ts'
import { type OwnUser, ownUser } from './store.ts'

export type ProfileDeps = { readonly databases: Databases; readonly brand: ShownBrand }

const PATH = '/settings'
const readName = formReader(exactly({ name: line(NAME_CHARS_MAX) }))

/** The first tab of the settings: the name, the email address and the users of the account. */
export const profileRoutes = (deps: ProfileDeps): Route[] => [
  route({
    ...PAGE,
    operation: 'showProfileSettings',
    method: 'GET',
    path: PATH,
    summary: 'Show the profile settings',
    description: 'Shows the page with the name, the email address and the users of the signed-in account.',
    schema: { query: Type.Object({ done: Type.Optional(Type.String()) }), response: { 200: Page } },
    handler: async ({ caller, browser, query }) => {
      const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
      const saved = query.done === 'name'
      return { status: 200, body: profilePage({ viewer, saved, rejected: null, ...(await loadProfile(deps, caller)) }) }
    },
  }),
  route({
    ...FORM,
    operation: 'changeOwnName',
    path: PATH,
    summary: 'Rename your account',
    description: 'Changes the name under which the signed-in person is shown.',
    schema: { body: Type.Object({ name: Type.Optional(Type.String()) }), response: FormResponses },
    handler: async ({ caller, browser, body }) => {
      const { rejected } = await attempt({
        ...{ form: 'name', typed: body, labels: { name: 'Name' } },
        work: async () => {
          const { name } = readName(body)
          await deps.databases.platform.transaction((tx) => renameAccount(tx, caller.accountId, name))
        },
      })
      if (rejected === null) return away(`${PATH}?done=name`)
      const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
      const body422 = profilePage({ viewer, saved: false, rejected, ...(await loadProfile(deps, caller)) })
      return { status: rejected.status, body: body422 }
    },
  }),
]

type Profile = { readonly account: AccountRow; readonly users: readonly (readonly [World, OwnUser | null])[] }

async function loadProfile(
  { databases }: ProfileDeps,
  { accountId }: { readonly accountId: Id<'account'> },
): Promise<Profile> {
  const account = await findAccount(databases.platform.reads, accountId)
  if (account === null) throw notFound(`account ${accountId} no longer exists`)
  const users = WORLDS.toReversed().map(async (world) => {
    return [world, await ownUser({ queries: databases[world].reads, world }, accountId)] as const
  })
  return { account, users: await Promise.all(users) }
}

type ProfilePage = Profile & {
  readonly viewer: Viewer
  readonly saved: boolean
  readonly rejected: Rejection | null
}

function profilePage({ viewer, saved, rejected, account, users }: ProfilePage): string {
  const { brand, csrf } = viewer
  const main = html`${summaryOf(rejected)}${saved && notice('Your name is changed.')}
${card(
  html`<h2>Your name</h2>`,
  form({
    action: PATH,
    csrf,
    content: [
      field({
        name: 'name',
        label: 'Name',
        hint: 'Your teams see it in the history of what you did.',
        value: typedIn(rejected, 'name', 'name', account.name),
        error: errorOf(rejected, 'name', 'name'),
        autocomplete: 'name',
        required: true,
        maxLength: NAME_CHARS_MAX,
      }),
      actions(button({ label: 'Save name' })),
    ],
  }),
)}
${card(
  html`<h2>Your account</h2>`,
  facts([
    ['Email', html`${account.email} <a href="/settings/email">Change email</a>`],
    ['Member since', since(account.created_at)],
    ['Account id', html`<code>${account.id}</code>`],
    ...users.map(([world, user]) => [WORLD_WORDS[world](brandName(brand)), userWords(world, user)] as const),
  ]),
)}`
  return settingsPage({ ...viewer, tab: 'profile', title: 'Profile', main })
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

function since(iso: string): HtmlValue {
  const then = new Date(iso)
  return html`<time datetime="${then.toISOString()}">${DAY.format(then)}</time>`
}

const WORLD_WORDS: Readonly<Record<World, (platform: string) => string>> = {
  live: (platform) => `User of ${platform}`,
  test: () => 'User of the sandbox',
}

function userWords(world: World, user: OwnUser | null): HtmlValue {
  if (user === null) {
    const reason =
      world === 'live'
        ? 'The platform has not linked this account to an investor or founder.'
        : 'No sandbox user is linked.'
    return html`<span class="muted">None.</span><span class="hint">${reason} You can build apps without one.</span>`
  }
  const name = user.deactivated ? html`${tag('Deactivated', 'warning')}` : html`<bdi>${user.name}</bdi>`
  return html`${name}<span class="hint"><code>${user.id}</code></span>`
}
