import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { given, useFilters } from '../shell/filters.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { TextField } from '../ui/field.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/filter-bar.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { DownloadButton } from './download-button.tsx'
import { mayAct, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StaffPage } from './staff-page.tsx'

type Version = Schemas['UsageConditions']
type Acceptance = Schemas['ConditionsAcceptance']

const VERSION_COLUMNS: readonly Column<Version>[] = [
  {
    header: 'Version',
    cell: ({ id, attributes }) => (
      <>
        <a href={attributes.url}>{id}</a> {attributes.in_force && <Badge tone="good">In force</Badge>}
      </>
    ),
  },
  { header: 'Accepted by', cell: ({ attributes: { apps } }) => `${apps} ${apps === 1 ? 'app' : 'apps'}`, align: 'end' },
  {
    header: 'Published',
    cell: ({ attributes: { published_at } }) => (published_at === null ? 'With a release' : <Time at={published_at} />),
    wide: true,
  },
]

const ACCEPTANCE_COLUMNS: readonly Column<Acceptance>[] = [
  { header: 'App', cell: ({ attributes }) => attributes.app.name },
  {
    header: 'Version',
    cell: ({ attributes: { version, not_accepted } }) => (
      <>
        {version} {not_accepted !== null && <Badge tone="warning">Has not accepted {not_accepted}</Badge>}
      </>
    ),
  },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'Accepted by', cell: ({ attributes }) => <code>{attributes.account_id}</code>, wide: true },
  { header: 'Accepted', cell: ({ attributes }) => <Time at={attributes.accepted_at} />, wide: true },
  { header: 'Before that', cell: ({ attributes }) => <Earlier of={attributes.earlier} />, wide: true },
]

function Earlier({ of: earlier }: { readonly of: Acceptance['attributes']['earlier'] }) {
  if (earlier.length === 0) return '–'
  return earlier.map(({ version, account_id, accepted_at }) => (
    <div key={version}>
      {version}, <Time at={accepted_at} />, <code>{account_id}</code>
    </div>
  ))
}

/** Lists the versions of the usage conditions, and the apps that accepted them. A person with the role admin can publish a version. */
export function ConditionsPage() {
  const [filters, change] = useFilters()
  const role = useRole()
  const { data: versions } = useSuspenseQuery({
    queryKey: ['conditions', 'versions'],
    queryFn: async ({ signal }) => (await read(client.GET('/platform/usage_conditions', { signal }))).data,
  })
  const query = {
    version: filters['version'],
    outdated: filters['outdated'] === 'true' ? true : undefined,
    app_id: filters['app'] as Acceptance['id'] | undefined,
    organization_id: filters['organization'] as Acceptance['attributes']['organization']['id'] | undefined,
    account_id: filters['account'] as Acceptance['attributes']['account_id'] | undefined,
  }
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  const clear = () => change({ version: '', outdated: '', app: '', organization: '', account: '' })
  const pages = usePages<Acceptance>({
    queryKey: ['conditions', 'acceptances', query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/usage_conditions/acceptances', {
          signal,
          params: { query: { ...given(query), ...page } },
        }),
      ),
  })
  return (
    <StaffPage
      least="viewer"
      what="usage conditions"
      title="Usage conditions"
      lead="Every app accepts the version in force when it is created. Its team can accept a newer one later."
      actions={<DownloadButton list="conditions_acceptances" query={{ app_id: query.app_id }} />}
    >
      <Panel title="Versions">
        <DataTable label="Versions" rows={versions} columns={VERSION_COLUMNS} rowKey={({ id }) => id} />
      </Panel>
      {mayAct(role, 'admin') && <PublishPanel versions={versions} />}
      <Panel title="Who accepted which">
        <FilterBar {...(isFiltered ? { onClear: clear } : {})}>
          <SelectFilter
            label="Version"
            any="Any version"
            value={filters['version']}
            onChange={(version) => change({ version })}
            options={versions.map(({ id }) => [id, id])}
          />
          <SelectFilter
            label="Age"
            any="Any age"
            value={filters['outdated']}
            onChange={(outdated) => change({ outdated })}
            options={[['true', 'Has not accepted the version in force']]}
          />
          <TextFilter label="App" placeholder="app_…" value={filters['app']} onChange={(app) => change({ app })} />
          <TextFilter
            label="Organization"
            placeholder="org_…"
            value={filters['organization']}
            onChange={(organization) => change({ organization })}
          />
          <TextFilter
            label="Account"
            placeholder="acct_…"
            value={filters['account']}
            onChange={(account) => change({ account })}
          />
        </FilterBar>
        <EndlessTable
          label="Acceptances"
          pages={pages}
          rows={pages.rows}
          columns={ACCEPTANCE_COLUMNS}
          rowKey={({ id }) => id}
          rowTo={({ attributes }) => `/apps/${attributes.app.id}`}
          empty={<EmptyState title="No acceptances">No app fits the filters.</EmptyState>}
        />
      </Panel>
    </StaffPage>
  )
}

const today = () => new Date().toISOString().slice(0, 10)

function PublishPanel({ versions }: { readonly versions: readonly Version[] }) {
  const [version, setVersion] = useState(today)
  const [text, setText] = useState('')
  const [isAsking, setAsking] = useState(false)
  const inForce = versions.find(({ attributes }) => attributes.in_force)
  const publishing = useAction({
    run: ({ why }: Decision) =>
      read(client.POST('/platform/usage_conditions', { headers: because(why), body: { version, text } })),
    done: `Version ${version} is in force`,
    changes: [['conditions']],
    onResult: () => {
      setAsking(false)
      setText('')
    },
  })
  const wrong = publishing.error instanceof ApiFailure ? publishing.error.fieldErrors() : {}
  const general = publishing.error !== null && Object.keys(wrong).length === 0 ? publishing.error : null
  return (
    <Panel
      title="Publish a version"
      hint="It is in force at once, for every app that is created from then on. A published text cannot be changed or removed."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          publishing.reset()
          setAsking(true)
        }}
      >
        <TextField
          label="Version"
          hint={`A date, later than ${inForce?.id ?? 'the version in force'}.`}
          value={version}
          onChange={setVersion}
          error={wrong['version']}
          maxLength={10}
          mono
        />
        <TextField
          label="Text"
          hint={
            <>
              Headings (<code>##</code>), paragraphs, lists, <code>**strong**</code> and links.{' '}
              <code>{'{platform}'}</code> stands for the platform’s name. Each heading becomes a numbered condition.
            </>
          }
          value={text}
          onChange={setText}
          error={wrong['text']}
          lines={10}
        />
        <div className="form-actions">
          <Button type="submit" variant="primary" isDisabled={version === '' || text.trim() === ''}>
            Publish
          </Button>
        </div>
      </form>
      {isAsking && Object.keys(wrong).length === 0 && (
        <DecisionDialog
          title={`Publish version ${version}?`}
          confirmLabel="Publish"
          typed={version}
          isPending={publishing.isPending}
          error={general}
          onConfirm={publishing.mutate}
          onClose={() => {
            publishing.reset()
            setAsking(false)
          }}
        >
          <p>
            From now on every new app accepts it. {inForce?.attributes.apps ?? 0} apps accepted version {inForce?.id}{' '}
            and keep it; their teams get a notice and can accept the new one. Nobody can take the publication back.
          </p>
        </DecisionDialog>
      )}
    </Panel>
  )
}
