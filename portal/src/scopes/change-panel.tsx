import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { type App, client, read } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { InstallLink } from '../installations/install-link.tsx'
import { useMode } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError, ErrorState } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PreviewCounts, type PreviewModes } from './preview-counts.tsx'
import type { Removed } from './removal-result.tsx'
import { grantedBy, type PickerScope } from './scope-queries.ts'

/** The result of a change of scopes. */
export type ScopeChange = {
  readonly added: readonly PickerScope[]
  /** How many installations, in both modes, lack the added scopes. */
  readonly lacking: number
  /** What the removal did. Null if no scope was removed. */
  readonly removed: Removed | null
}

type ChangePanelProps = {
  readonly app: App
  readonly catalogue: readonly PickerScope[]
  readonly adding: readonly string[]
  readonly removing: readonly string[]
  readonly onDone: (change: ScopeChange) => void
  readonly onDiscard: () => void
}

/** Shows what the chosen change would do, as counted by the server, and the button that makes the change. */
export function ScopeChangePanel(props: ChangePanelProps) {
  const { app, catalogue, adding, removing, onDiscard } = props
  const params = { path: { app_id: app.id } }
  const isEmpty = adding.length + removing.length === 0
  const preview = useQuery({
    queryKey: ['apps', app.id, 'scope-preview', adding, removing],
    queryFn: async ({ signal }) => {
      const body = { add: [...adding], remove: [...removing] }
      return (await read(client.POST('/portal/api/apps/{app_id}/scopes/preview', { signal, params, body }))).data
    },
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    // A person who removes a scope must see the current counts.
    staleTime: 0,
  })
  if (isEmpty) {
    return (
      <Panel title="What the change does">
        <p className="hint">
          Choose or clear scopes. Before anything changes, this panel shows how many installations, tokens and webhook
          endpoints the change concerns.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="What the change does">
      <ScopeNames title="Added" names={adding} />
      <ScopeNames title="Removed" names={removing} />
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data === undefined && preview.error === null && <Skeleton lines={6} />}
      {preview.data !== undefined && preview.error === null && (
        <>
          <PreviewCounts modes={preview.data.attributes.modes} />
          {adding.length > 0 && hasConnections(preview.data.attributes.modes) && (
            <ConsentAgain
              appId={app.id}
              added={catalogue.filter(({ id }) => adding.includes(id))}
              modes={preview.data.attributes.modes}
            />
          )}
          <ApplyButton {...props} modes={preview.data.attributes.modes} isCounting={preview.isFetching} />
        </>
      )}
      <Button variant="quiet" onPress={onDiscard}>
        Discard the change
      </Button>
    </Panel>
  )
}

function ScopeNames({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul className="scope-names">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Whether the app has an installation or a token. Otherwise no person has to consent again. */
const hasConnections = ({ test, live }: PreviewModes) =>
  [test, live].some(({ installations, access_tokens }) => installations.before + access_tokens.before > 0)

const lackingIn = ({ test, live }: PreviewModes) => test.installations.lacking_added + live.installations.lacking_added

type ConsentAgainProps = {
  readonly appId: string
  readonly added: readonly PickerScope[]
  readonly modes: PreviewModes
}

/** Says who has to grant the added scopes. Developers do not expect that people who consented earlier have to consent again. */
function ConsentAgain({ appId, added, modes }: ConsentAgainProps) {
  const mode = useMode()
  const lacking = lackingIn(modes)
  const { own, ofPeople, ofTargets, onlyOfPeople } = grantedBy(added)
  return (
    <div className="notice">
      <p>
        <strong>{own.length === added.length ? 'No one has to consent.' : 'People consent again.'}</strong> An added
        scope changes no existing installation or token.
        {lacking > 0 && ` ${lacking} installations will lack what you add.`}
      </p>
      <ul>
        {ofPeople.length > 0 && (
          <li>
            People who connected the app: send them to your authorization address again with <Names of={ofPeople} /> in{' '}
            <code>scope</code>.
          </li>
        )}
        {ofTargets.length > 0 && (
          <li>
            For an installation on a {targetsInWords(ofTargets)}: a person who runs it removes the app and installs the
            app again for <Names of={ofTargets} />, by this link for {mode} mode:{' '}
            <InstallLink appId={appId} mode={mode} />
          </li>
        )}
        {onlyOfPeople.length > 0 && (
          <li>
            <Names of={onlyOfPeople} /> {onlyOfPeople.length === 1 ? 'is' : 'are'} about a person. An installation on a
            company or a syndicate does not need {onlyOfPeople.length === 1 ? 'it' : 'them'}, so no person has to
            install the app again.
          </li>
        )}
        {own.length > 0 && (
          <li>
            <Names of={own} /> {own.length === 1 ? 'is' : 'are'} the app’s own: your server requests a new token with
            its client credentials.
          </li>
        )}
      </ul>
    </div>
  )
}

function targetsInWords(scopes: readonly PickerScope[]): string {
  const places = new Set(scopes.flatMap(({ attributes }) => attributes.takes_effect_on))
  return (['company', 'syndicate'] as const).filter((place) => places.has(place)).join(' or ')
}

function Names({ of }: { readonly of: readonly PickerScope[] }) {
  return of.map(({ id }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <code>{id}</code>
    </Fragment>
  ))
}

type ApplyProps = ChangePanelProps & { readonly modes: PreviewModes; readonly isCounting: boolean }

function ApplyButton({ app, catalogue, adding, removing, onDone, modes, isCounting }: ApplyProps) {
  const [isAsking, setAsking] = useState(false)
  const params = { path: { app_id: app.id } }
  const applying = useAction({
    run: async (): Promise<Removed | null> => {
      if (adding.length > 0) {
        await read(client.POST('/portal/api/apps/{app_id}/scopes', { params, body: { scopes: [...adding] } }))
      }
      if (removing.length === 0) return null
      const body = { scopes: [...removing] }
      return (await read(client.POST('/portal/api/apps/{app_id}/scopes/remove', { params, body }))).data.attributes
    },
    done: 'The scopes are changed',
    changes: [appsQuery.queryKey],
    onResult: (removed) => {
      setAsking(false)
      const added = catalogue.filter(({ id }) => adding.includes(id))
      onDone({ added, lacking: lackingIn(modes), removed })
    },
  })
  const apply = () => applying.mutate(undefined)
  if (removing.length === 0) {
    return (
      <>
        <ActionError error={applying.error} />
        <Button variant="primary" onPress={apply} isDisabled={applying.isPending}>
          {adding.length === 1 ? 'Add the scope' : `Add ${adding.length} scopes`}
        </Button>
      </>
    )
  }
  const { name } = app.attributes
  return (
    <>
      <Button variant="danger" onPress={() => setAsking(true)} isDisabled={isCounting}>
        {adding.length === 0 ? 'Remove…' : 'Add and remove…'}
      </Button>
      <ConfirmDialog
        title={`Remove scopes from ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        typed={name}
        confirmLabel={removing.length === 1 ? 'Remove the scope' : `Remove ${removing.length} scopes`}
        onConfirm={apply}
        isPending={applying.isPending}
        error={<ActionError error={applying.error} />}
      >
        <p>
          {removing.join(', ')} {removing.length === 1 ? 'is' : 'are'} removed now from the app, its installations and
          tokens, in test and in live mode. If you add {removing.length === 1 ? 'it' : 'them'} again, people have to
          consent again.
        </p>
        <PreviewCounts modes={modes} />
      </ConfirmDialog>
    </>
  )
}
