import { infiniteQueryOptions, useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { client, read, type Schemas } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Json } from '../ui/json.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

/** The entry whose details are open. */
export type HistorySearch = { readonly entry?: string }

type Entry = Schemas['HistoryEntry']

const historyQuery = (app_id: string) =>
  infiniteQueryOptions({
    queryKey: ['apps', app_id, 'history'],
    queryFn: ({ signal, pageParam }) => {
      const query = { per_page: 100, ...(pageParam !== null && { cursor: pageParam }) }
      return read(client.GET('/portal/api/apps/{app_id}/history', { signal, params: { path: { app_id }, query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
  })

const COLUMNS: readonly Column<Entry>[] = [
  {
    header: 'What',
    cell: ({ id, attributes }) => (
      <Link
        to="."
        search={(before: Record<string, unknown>) => ({ ...before, entry: id })}
        className="row-link"
        resetScroll={false}
      >
        {actionWords(attributes.action)}
      </Link>
    ),
  },
  { header: 'Who', cell: ({ attributes }) => actorWords(attributes.actor), wide: true },
  { header: 'When', cell: ({ attributes }) => <Time at={attributes.at} /> },
]

/** An action in words: `app.key_created` is "Key created", and `installation.revoked` is "Installation revoked". */
function actionWords(action: string): string {
  const words = action
    .replace(/^app\.(?=.*_)/, '')
    .replace('.', ' ')
    .replaceAll('_', ' ')
    .replace(/\bpii\b/, 'PII')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function actorWords({ type, name, id }: Entry['attributes']['actor']): string {
  switch (type) {
    case 'member':
      return name ?? id ?? 'A former member'
    case 'key':
      return `Key ${name ?? id ?? ''}`
    case 'platform':
      return 'The platform'
    case 'system':
      return 'Caused by another entry'
  }
}

export function HistoryPage() {
  const appId = useAppId() ?? ''
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const history = useSuspenseInfiniteQuery(historyQuery(appId))
  const { entry: openId }: HistorySearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const entries = history.data.pages.flatMap(({ data }) => data)
  const opened = entries.find(({ id }) => id === openId)
  const close = () =>
    void navigate({
      to: '.',
      search: ({ entry: _, ...rest }: Record<string, unknown>) => rest,
      resetScroll: false,
    })
  return (
    <Page
      title="History"
      crumbs={appCrumbs(app)}
      lead="Every change of this app and who made it, in both modes, newest first."
    >
      {entries.length === 0 ? (
        <EmptyState title="Nothing yet">Every change of the app, its keys and its scopes is listed here.</EmptyState>
      ) : (
        <DataTable label="History of the app" rows={entries} columns={COLUMNS} rowKey={({ id }) => id} />
      )}
      <ActionError error={history.error} />
      {history.hasNextPage && (
        <div className="form-actions">
          <Button onPress={() => void history.fetchNextPage()} isDisabled={history.isFetchingNextPage}>
            Load older entries
          </Button>
        </div>
      )}
      {opened !== undefined && (
        <Dialog title={actionWords(opened.attributes.action)} isOpen onClose={close}>
          <p>
            {actorWords(opened.attributes.actor)}, <Time at={opened.attributes.at} />
          </p>
          <Json value={opened} label="The entry" />
        </Dialog>
      )}
    </Page>
  )
}
