import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import type { OnRevoked } from '#access/installations/index.ts'
import { recentlyProven } from '#http/access.ts'
import { StreamedText, type Write } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { streamedBody } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { card, points } from '#pages/blocks.ts'
import { actions, button, field, form, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page, settingsPage } from '#pages/layout.ts'
import { brandName, brandOf, type ShownBrand } from '#pages/platform-brand.ts'
import type { Databases } from '#system/postgres/database.ts'
import { deleteAccount } from './delete-account.ts'
import {
  attempt,
  errorOf,
  formReturn,
  PAGE,
  Page,
  PROVEN_FORM,
  type Rejection,
  summaryOf,
  typedIn,
  type Viewer,
} from './settings-form.ts'
import { addressesOfUser, ownUser, platformRows, ROWS_MAX, worldRows } from './store.ts'

export type DataDeps = {
  readonly databases: Databases
  readonly brand: ShownBrand
  readonly onRevoked: readonly OnRevoked[]
}

const PATH = '/settings/data'
const DELETE = `${PATH}/delete`

/** Pages on which the signed-in person downloads their data or deletes their account. */
export const dataRoutes = (deps: DataDeps): Route[] => [
  route({
    ...PAGE,
    operation: 'showOwnData',
    method: 'GET',
    path: PATH,
    summary: 'Show your data',
    description: 'Shows the page on which a person downloads their data or deletes their account.',
    schema: { response: { 200: Page } },
    handler: async ({ caller, browser }) => {
      return { status: 200, body: dataPage({ brand: deps.brand, person: caller, csrf: browser.csrf }) }
    },
  }),
  route({
    ...PROVEN_FORM,
    contentType: 'application/json; charset=utf-8',
    operation: 'exportOwnData',
    path: `${PATH}/export`,
    summary: 'Export your data',
    description:
      'Returns what is stored about the signed-in person as a JSON file, without secrets and without data about other people.',
    schema: { response: { 200: streamedBody('A JSON document with one list for each table.') } },
    handler: async ({ caller: { accountId: account, email } }) => {
      await deps.databases.platform.transaction((tx) =>
        recordAudit(tx, { actor: account, action: 'account.exported', subject: account }),
      )
      const day = new Date().toISOString().slice(0, 10)
      return {
        status: 200,
        body: new StreamedText((write) => exportData(deps.databases, { account, email }, write)),
        headers: { 'Content-Disposition': `attachment; filename="personal-data-${day}.json"` },
      }
    },
  }),
  formReturn({ operation: 'returnToExport', path: `${PATH}/export`, to: () => PATH }),
  route({
    ...PAGE,
    access: recentlyProven(),
    operation: 'showAccountDeletion',
    method: 'GET',
    path: DELETE,
    summary: 'Show the account deletion page',
    description: 'Shows what is deleted with an account, what stays, and why.',
    schema: { response: { 200: Page } },
    handler: async ({ caller, browser }) => {
      return { status: 200, body: deletionPage({ brand: deps.brand, person: caller, csrf: browser.csrf }, null) }
    },
  }),
  route({
    ...PROVEN_FORM,
    operation: 'deleteOwnAccount',
    path: DELETE,
    summary: 'Delete your account',
    description:
      'Deletes the account of the signed-in person. To confirm, the form contains the account’s email address.',
    schema: {
      body: Type.Object({ email: Type.Optional(Type.String()) }),
      response: { 200: Page, 403: Page, 409: Page, 422: Page },
    },
    handler: async ({ caller, browser, body, requestId: cause }) => {
      const { rejected } = await attempt({
        ...{ form: 'delete', typed: body, labels: { email: 'What you typed' } },
        work: () =>
          deleteAccount(deps.databases.platform, {
            ...{ account: caller.accountId, typed: body.email ?? '', cause, onRevoked: deps.onRevoked },
            support: brandOf(deps.brand).links.support,
          }),
      })
      if (rejected !== null) {
        const viewer = { brand: deps.brand, person: caller, csrf: browser.csrf }
        return { status: rejected.status, body: deletionPage(viewer, rejected) }
      }
      return { status: 200, body: farewellPage(deps.brand), headers: { 'Set-Cookie': browser.setCookie(null) } }
    },
  }),
]

function dataPage(viewer: Viewer): string {
  const main = html`${card(
    html`<h2>Download your data</h2><p>Everything that is stored about you here, as one JSON file: your account and sessions, your profiles on ${brandName(viewer.brand)} and in the sandbox, your investments, connections and teams, and what apps did for you.</p>
<p class="hint">Without passwords and keys, and without data about other people.</p>`,
    form({
      action: `${PATH}/export`,
      csrf: viewer.csrf,
      content: actions(button({ label: 'Download my data', kind: 'secondary' })),
    }),
  )}${card(
    html`<h2>Delete your account</h2><p>The next page says what is deleted and what stays.</p>`,
    actions(html`<a class="button danger" href="${DELETE}">Delete my account</a>`),
  )}`
  return settingsPage({ ...viewer, tab: 'data', title: 'Your data', main })
}

/** Says what is deleted, what stays and why. The person types their address to confirm, because the deletion is final. */
function deletionPage(viewer: Viewer, rejected: Rejection | null): string {
  const platform = brandName(viewer.brand)
  const main = html`${summaryOf(rejected)}${card(
    html`<div class="stack"><h2>What is deleted</h2>${points([
      'Your name, your email address, your password and every other way to sign in. Every browser is signed out at once.',
      'Your membership in the teams of organizations, invitations that you sent, and invitations to your address.',
      'The connections of apps to your account. The apps lose their access at once, and their proposals to you expire. The makers of the apps must delete the data about you that they received.',
      'Every organization of which you are the only member, if it has no app.',
    ])}</div>`,
    html`<div class="stack"><h2>What stays, and why</h2>${points([
      html`Investments, reservations and your profile as an investor belong to ${platform}’s own records, which it has to keep. To remove your name and address from these records too, ask ${platform} to erase your data.`,
      'Apps that you installed on a company or syndicate: they work for all people who run it.',
      'Apps and keys that you created: they belong to their organization.',
      'The history of what you did here. It contains the id of your account, without your name or address.',
    ])}</div>`,
    html`<p>If you are the only owner of an organization with a team or apps, make another person an owner first, or delete its apps: <a href="/settings/organizations">Organizations</a>.</p>`,
    form({
      action: DELETE,
      csrf: viewer.csrf,
      content: [
        field({
          name: 'email',
          label: `Type ${viewer.person.email} to confirm`,
          hint: 'The deletion is final. You can sign up again with the same address, and begin with an empty account.',
          value: typedIn(rejected, 'delete', 'email'),
          error: errorOf(rejected, 'delete', 'email'),
          autocomplete: 'off',
          required: true,
        }),
        actions(
          html`<button class="button danger primary" type="submit">Delete my account</button>`,
          linkButton('Keep my account', PATH),
        ),
      ],
    }),
  )}`
  return settingsPage({ ...viewer, tab: 'data', title: 'Delete your account', main })
}

/** The reader of this page is already signed out. */
function farewellPage(brand: ShownBrand): string {
  const main = card(
    html`<h1>Your account is deleted</h1><p>You are signed out everywhere. A last mail to your address confirms it.</p>`,
    actions(linkButton('Go to the front page', '/')),
  )
  return page({ title: 'Your account is deleted', main, brand })
}

type Person = { readonly account: Id<'account'>; readonly email: string }

/**
 * Writes the stored data about a person as one JSON document, table by table: at most `ROWS_MAX` rows of each table, without the
 * columns that settings/store.ts withholds. Rows of the platform are found by the account's id and its address, which the person
 * has proven. The addresses of a user come from the host platform, and the person has not proven them. So only rows of that
 * user's world are found by these addresses.
 */
async function exportData(databases: Databases, { account, email }: Person, write: Write): Promise<void> {
  const incomplete: string[] = []
  await write(
    `{\n"format": "portico-personal-data-1",\n"exported_at": ${JSON.stringify(new Date().toISOString())},\n"platform": {`,
  )
  const addresses = [email.toLowerCase()]
  await writeTables(platformRows(databases.platform.reads, { account, addresses }), write, (table) =>
    incomplete.push(`platform.${table}`),
  )
  for (const world of WORLDS.toReversed()) {
    const { reads } = databases[world]
    const user = await ownUser({ queries: reads, world }, account)
    await write(`},\n"${world}": {`)
    if (user === null) continue
    const person = { user: user.id, addresses: await addressesOfUser(reads, user.id) }
    await writeTables(worldRows(reads, person), write, (table) => incomplete.push(`${world}.${table}`))
  }
  await write(`},\n"incomplete": ${JSON.stringify(incomplete)},\n"rows_of_a_table_at_most": ${ROWS_MAX}\n}\n`)
}

type Tables = AsyncIterable<{ readonly table: string; readonly rows: readonly string[] }>

async function writeTables(tables: Tables, write: Write, onCut: (table: string) => void): Promise<void> {
  let separator = '\n'
  for await (const { table, rows } of tables) {
    if (rows.length > ROWS_MAX) onCut(table)
    await write(`${separator}"${table}": [${rows.slice(0, ROWS_MAX).join(',\n')}]`)
    separator = ',\n'
  }
}
