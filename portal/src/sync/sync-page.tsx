import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client, read } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { installationsQuery, targetName } from '../installations/installation-queries.ts'
import { given, useFilters } from '../shell/filters.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CursorPanel, RecordsPanel } from './inspection-panels.tsx'
import './sync.css'

const syncQuery = (app_id: string, id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['apps', app_id, 'sync', id, cursor],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, id }, query: given({ cursor }) }
      return (await read(client.GET('/portal/api/apps/{app_id}/installations/{id}/sync', { signal, params }))).data
    },
    staleTime: 0,
    gcTime: 0,
  })

/** Shows what a sync of an installation returns now, and what a cursor contains. */
export function SyncPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: all } = useSuspenseQuery(installationsQuery(appId, mode))
  const installations = all.filter(({ status, target }) => status === 'active' && target.type !== 'syndicate')
  const [filters, change] = useFilters()
  const chosen = filters['installation'] ?? installations[0]?.id
  return (
    <Page
      title="Sync"
      crumbs={appCrumbs(app)}
      lead="See what GET /investments returns now to a token of one installation, from the beginning or from your cursor. Nothing is stored, and your cursor stays valid."
    >
      {chosen === undefined ? (
        <EmptyState
          title={`No installation to read in ${mode} mode`}
          action={<LinkButton to={`/apps/${appId}/installations`}>Open the installations</LinkButton>}
        >
          A token of an installation on a company reads investments. First install the app on a company.
        </EmptyState>
      ) : (
        <>
          <CursorForm
            key={`${chosen} ${filters['cursor']}`}
            chosen={chosen}
            options={optionsOf(installations, chosen)}
            cursor={filters['cursor'] ?? ''}
            onChange={(installation, cursor) => change({ installation, cursor })}
          />
          <Inspection
            appId={appId}
            installation={chosen}
            cursor={filters['cursor']}
            onNext={(cursor) => change({ installation: chosen, cursor })}
          />
        </>
      )}
    </Page>
  )
}

type Listed = { readonly id: string; readonly target: Parameters<typeof targetName>[0] }

/** The address can name an installation that the list no longer has. The server then says why it returns no records. */
function optionsOf(installations: readonly Listed[], chosen: string) {
  const options = installations.map(({ id, target }) => ({
    value: id,
    label: target.type === 'user' ? `User ${target.id}` : targetName(target),
  }))
  return options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}

type CursorFormProps = {
  readonly chosen: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly cursor: string
  readonly onChange: (installation: string, cursor: string) => void
}

function CursorForm({ chosen, options, cursor, onChange }: CursorFormProps) {
  const [text, setText] = useState(cursor)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(chosen, text.trim())
  }
  return (
    <Panel title="Read from">
      <form className="form" onSubmit={submit}>
        <SelectField
          label="Installation"
          value={chosen}
          onChange={(installation) => onChange(installation, '')}
          options={options}
        />
        <TextField
          label="Cursor"
          value={text}
          onChange={setText}
          hint="A next_cursor or a record’s cursor that your app stored. Leave it empty to start from the beginning."
          lines={2}
          mono
        />
        <div className="form-actions">
          <Button type="submit" variant="primary">
            Inspect
          </Button>
          {cursor !== '' && <Button onPress={() => onChange(chosen, '')}>Start from the beginning</Button>}
        </div>
      </form>
    </Panel>
  )
}

type InspectionProps = {
  readonly appId: string
  readonly installation: string
  readonly cursor: string | undefined
  readonly onNext: (cursor: string) => void
}

function Inspection({ appId, installation, cursor, onNext }: InspectionProps) {
  const { data: inspection, error, isFetching, refetch } = useQuery(syncQuery(appId, installation, cursor))
  if (error !== null) return <ActionError error={error} />
  if (inspection === undefined) return <Skeleton lines={6} />
  const readAgain = (
    <Button variant="quiet" onPress={() => void refetch()} isDisabled={isFetching}>
      Read again
    </Button>
  )
  return (
    <>
      <CursorPanel inspection={inspection} actions={readAgain} />
      <RecordsPanel inspection={inspection} onNext={onNext} />
    </>
  )
}
