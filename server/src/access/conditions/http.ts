import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import {
  type Acceptance,
  appsWithout,
  CONDITIONS_PATH,
  conditionsInForce,
  conditionsUrl,
  countAcceptances,
  findConditionsText,
  insertConditions,
  listAcceptances,
  listConditions,
  type NotifyAppTeam,
} from '#access/apps/index.ts'
import { recordAudit } from '#access/audit/index.ts'
import { liveOperator, open, operator } from '#http/access.ts'
import { listOf, openCursor, page as pageOfList, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, time } from '#http/schema-fields.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { card, facts, notice } from '#pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { type Block, blockView, readMarkdown } from '#pages/markdown.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'

const COMMON = {
  method: 'GET',
  alias: false,
  tag: 'Pages',
  access: open('Developers read the conditions before they have an app, and so do people whose data apps receive.'),
  contentType: 'text/html; charset=utf-8',
  errorsAs: 'page',
} as const

const HEADERS = { ...PAGE_HEADERS, 'Cache-Control': 'public, max-age=300' }

type Deps = {
  readonly brand: ShownBrand
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly notify: NotifyAppTeam
}

/** The pages with the conditions in force, and with each version under a permanent URL. An app's acceptance refers to that URL. */
export function conditionRoutes(deps: Deps): Route[] {
  const { brand, platform } = deps
  // The texts are read here, so that the service does not start if one is missing.
  const builtIn = new Map(VERSIONS.map((version) => [version, builtInText(version)]))
  const pageOf = async (version: string, inForce: string) => {
    const text = builtIn.get(version) ?? (await findConditionsText(platform.reads, version))
    if (text === null) throw notFound(`there are no conditions of ${version}`)
    const published = (await listConditions(platform.reads)).map((one) => one.version)
    const versions = [...new Set([...published, ...VERSIONS])].toSorted().toReversed()
    return { status: 200, body: conditionsPage({ brand, version, inForce, text, versions }), headers: HEADERS } as const
  }
  return [
    route({
      ...COMMON,
      operation: 'showUsageConditions',
      path: CONDITIONS_PATH,
      summary: 'Show the usage conditions',
      description: 'Shows the page with the version of the usage conditions that is in force.',
      schema: { response: { 200: Type.String() } },
      handler: async () => {
        const inForce = await conditionsInForce(platform.reads)
        return pageOf(inForce, inForce)
      },
    }),
    route({
      ...COMMON,
      operation: 'showUsageConditionsVersion',
      path: `${CONDITIONS_PATH}/:version`,
      summary: 'Show one usage conditions version',
      description: 'Shows the page with one version of the usage conditions.',
      schema: { params: Type.Object({ version: Type.String() }), response: { 200: Type.String() } },
      handler: async ({ params: { version } }) => pageOf(version, await conditionsInForce(platform.reads)),
    }),
    ...platformConditionRoutes(deps),
  ]
}

const VERSION_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const Version = Type.String({ pattern: VERSION_PATTERN, description: 'A date, such as `2026-11-01`.' })

const VersionRecord = exactly(
  {
    id: Version,
    type: Type.Literal('usage_conditions'),
    attributes: exactly({
      url: Type.String({ description: 'The address of the page with this version, on this host.' }),
      in_force: Type.Boolean({ description: 'Whether new apps accept this version.' }),
      published_at: nullable(time('Real time.'), 'Null for a version that is part of a release.'),
      published_by: nullable(Type.String(), 'The account or the operator key that published the version.'),
      apps: Type.Integer({ minimum: 0, description: 'How many apps accepted this version, now or earlier.' }),
    }),
  },
  'UsageConditions',
)

const AcceptanceRecord = exactly(
  {
    id: idOf('app'),
    type: Type.Literal('conditions_acceptance'),
    attributes: exactly({
      version: Version,
      in_force: Type.Boolean(),
      app: exactly({ id: idOf('app'), name: Type.String() }),
      organization: exactly({ id: idOf('organization'), name: Type.String() }),
      account_id: idOf('account', 'The person who accepted the version for the app.'),
      accepted_at: time('Real time.'),
      not_accepted: nullable(Version, 'The version in force, if the app has not accepted it.'),
      earlier: Type.Array(exactly({ version: Version, account_id: idOf('account'), accepted_at: time('Real time.') }), {
        description: 'The versions that were accepted for the app before, latest first.',
      }),
    }),
  },
  'ConditionsAcceptance',
)

export function acceptanceRecord(row: Acceptance, inForce: string): Static<typeof AcceptanceRecord> {
  const { app_id: id, version, account_id, accepted_at, earlier } = row
  const app = { id, name: row.app_name }
  const organization = { id: row.organization_id, name: row.organization_name }
  const attributes = {
    ...{ version, in_force: version === inForce, app, organization, account_id, accepted_at },
    not_accepted: version < inForce ? inForce : null,
    earlier: [...earlier],
  }
  return { id, type: 'conditions_acceptance', attributes }
}

const PLATFORM = { alias: false, tag: 'Platform partners' } as const
const CURSOR: CursorKind = { kind: 'conditions_acceptances', version: 1 }

const platformConditionRoutes = ({ platform, cursors, notify }: Deps): Route[] => [
  route({
    ...PLATFORM,
    operation: 'listUsageConditions',
    method: 'GET',
    path: '/platform/usage_conditions',
    access: operator('viewer', 'partner'),
    summary: 'List usage conditions versions',
    description: 'Returns every version, the latest first, and how many apps accepted it.',
    schema: { response: { 200: exactly({ data: Type.Array(VersionRecord) }) } },
    handler: async () => ({ status: 200, body: { data: await versionRecords(platform.reads) } }),
  }),
  route({
    ...PLATFORM,
    operation: 'publishUsageConditions',
    method: 'POST',
    path: '/platform/usage_conditions',
    access: liveOperator('admin', 'partner'),
    summary: 'Publish usage conditions',
    description:
      'Publishes a version, which is in force at once: a request that creates an app must accept it. Existing apps keep the version that was accepted for them, and their teams get a notice. A published text cannot be changed or removed.',
    schema: {
      body: exactly(
        {
          version: Type.String({ maxLength: 20, description: 'A date, later than the version in force.' }),
          text: Type.String({
            minLength: 100,
            maxLength: 100_000,
            pattern: SEEN_PARAGRAPHS_PATTERN,
            description:
              'Headings (`##`), paragraphs, lists, and in them **strong**, `code` and links. `{platform}` stands for the platform’s name.',
          }),
        },
        'NewUsageConditions',
      ),
      response: { 201: exactly({ data: VersionRecord }) },
    },
    platform: async ({ ptx, caller: { actor }, body: { version, text } }) => {
      const inForce = await conditionsInForce(ptx)
      rejectVersion(version, inForce)
      rejectWithoutHeading(text)
      if ((await insertConditions(ptx, version, text, actor)) === null)
        throw versionMistake('taken', 'is published already')
      const details = { replaces: inForce }
      await recordAudit(ptx, { actor, action: 'conditions.published', subject: version, details })
      for (const app of await appsWithout(ptx, version))
        await notify(ptx, { kind: 'app.conditions_published', app, version })
      const [data] = (await versionRecords(ptx)).filter(({ id }) => id === version)
      if (data === undefined) throw new Error('the published version cannot be found')
      return { status: 201, body: { data } }
    },
  }),
  route({
    ...PLATFORM,
    operation: 'listConditionsAcceptances',
    method: 'GET',
    path: '/platform/usage_conditions/acceptances',
    access: operator('viewer', 'partner'),
    summary: 'List accepted usage conditions',
    description:
      'Returns for each app which version was accepted last, by whom and when, which versions were accepted before, and the version in force if it is not accepted yet. The oldest app comes first.',
    schema: {
      query: exactly({
        version: Type.Optional(Version),
        outdated: Type.Optional(
          Type.Boolean({ description: 'Only apps that accepted an older version than the one in force.' }),
        ),
        app_id: Type.Optional(idOf('app')),
        organization_id: Type.Optional(idOf('organization')),
        account_id: Type.Optional(idOf('account')),
        ...pageQuery(),
      }),
      response: { 200: listOf(AcceptanceRecord) },
    },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const inForce = await conditionsInForce(platform.reads)
      const [after = ''] = openCursor(cursors, CURSOR, query.cursor) ?? []
      const filter = {
        ...{ version: query.version ?? null, before: query.outdated === true ? inForce : null },
        ...{
          organization: query.organization_id ?? null,
          app: query.app_id ?? null,
          account: query.account_id ?? null,
        },
      }
      const rows = await listAcceptances(platform.reads, filter, { after: String(after), limit: size + 1 })
      const item = (row: Acceptance) => acceptanceRecord(row, inForce)
      const next = ({ app_id }: Acceptance) => cursors.seal(CURSOR, [app_id])
      return { status: 200, body: pageOfList({ rows, size, item, next }) }
    },
  }),
]

async function versionRecords(queries: PlatformQueries): Promise<Static<typeof VersionRecord>[]> {
  const inForce = await conditionsInForce(queries)
  const accepted = await countAcceptances(queries)
  const published = await listConditions(queries)
  const publishedVersions = new Set(published.map(({ version }) => version))
  const shipped = VERSIONS.filter((version) => !publishedVersions.has(version)).map((version) => {
    return { version, published_at: null, published_by: null }
  })
  const all = [...published, ...shipped].toSorted((a, b) => (a.version < b.version ? 1 : -1))
  return all.map(({ version, published_at, published_by }) => {
    const shown = { url: conditionsUrl(version), in_force: version === inForce, apps: accepted.get(version) ?? 0 }
    return { id: version, type: 'usage_conditions', attributes: { ...shown, published_at, published_by } }
  })
}

function rejectVersion(version: string, inForce: string): void {
  const day = new Date(`${version}T00:00:00Z`)
  const isDate = new RegExp(VERSION_PATTERN).test(version) && !Number.isNaN(day.getTime())
  if (!isDate || day.toISOString().slice(0, 10) !== version)
    throw versionMistake('invalid_format', 'must be a date: YYYY-MM-DD')
  if (version <= inForce) throw versionMistake('too_early', `must be later than ${inForce}, the version in force`)
}

function versionMistake(code: string, message: string) {
  return validationError([{ field: 'version', code, message }])
}

/** Partners refer to a condition by its number, which we add to its heading. */
function rejectWithoutHeading(text: string): void {
  if (readMarkdown(text).some(({ kind }) => kind === 'heading')) return
  const message = 'must have at least one heading: the conditions are numbered by their headings'
  throw validationError([{ field: 'text', code: 'invalid_format', message }])
}

type Shown = {
  readonly brand: ShownBrand
  readonly version: string
  readonly inForce: string
  readonly text: string
  /** All versions, latest first. */
  readonly versions: readonly string[]
}

const TITLE = 'Usage conditions of API access'

export function conditionsPage({ brand, version, inForce, text, versions }: Shown): string {
  const [preamble, sections] = splitSections(readMarkdown(text.replaceAll('{platform}', brandName(brand))))
  const main = [
    card(
      html`<h1>${TITLE}</h1>`,
      version !== inForce && replacedNotice(inForce),
      preamble,
      facts([
        ['Version', html`${version}${version === inForce && ', in force'}`],
        ['This version stays at', html`<a href="${conditionsUrl(version)}">${conditionsUrl(version)}</a>`],
        ['Other versions', otherThan(version, versions)],
      ]),
      sections,
    ),
    html`<p class="muted">Every change of these conditions gets a new version, which the <a href="/docs/changelog">changelog</a>
announces. If a change allows less than before, existing apps get time to comply.</p>`,
  ]
  return page({ title: TITLE, main: html`${main}`, brand })
}

function replacedNotice(inForce: string): Html {
  const link = html`<a href="${conditionsUrl(inForce)}">version ${inForce}</a>`
  return notice(html`New apps accept ${link}. This text stays here for the apps that accepted it.`, 'warning')
}

function otherThan(version: string, versions: readonly string[]): HtmlValue {
  const others = versions.filter((each) => each !== version)
  if (others.length === 0) return 'None yet'
  return others.map((each, i) => html`${i > 0 && ', '}<a href="${conditionsUrl(each)}">${each}</a>`)
}

/** The text before the first heading, then each heading with its section, numbered for reference. */
function splitSections(blocks: readonly Block[]): readonly [HtmlValue, HtmlValue] {
  const preamble: Html[] = []
  const sections: { readonly title: string; readonly content: Html[] }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading') sections.push({ title: block.text, content: [] })
    else (sections.at(-1)?.content ?? preamble).push(blockView(block))
  }
  const shown = sections.map(
    ({ title, content }, i) =>
      html`<section class="stack" id="condition-${i + 1}"><h2>${i + 1}. ${title}</h2>${content}</section>`,
  )
  return [preamble, shown]
}

/**
 * The versions that come with the release, newest first. An accepted text never changes, so every change of the text needs a new version.
 */
const VERSIONS: readonly string[] = ['2026-11-01']

export const builtInText = (version: string) =>
  readFileSync(join(import.meta.dirname, 'texts', `${version}.md`), 'utf8')
