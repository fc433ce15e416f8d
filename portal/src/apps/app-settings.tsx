import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, type App, client, read } from '../api/client.ts'
import { appQuery, appsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { LogoPanel } from './app-logo-panel.tsx'
import { ConditionsPanel } from './conditions-panel.tsx'
import { DangerPanel } from './danger-panel.tsx'
import { RedirectUris } from './redirect-uris.tsx'

export function AppSettingsPage() {
  const appId = useAppId() ?? ''
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: me } = useSuspenseQuery(meQuery)
  const { status, suspended_reason, organization } = app.attributes
  const role = me.attributes.organizations.find(({ id }) => id === organization.id)?.attributes.role
  return (
    <Page title="Settings" crumbs={appCrumbs(app)} status={<StatusBadge status={status} />}>
      {suspended_reason !== null && (
        <p className="notice danger">The platform has suspended this app: {suspended_reason}</p>
      )}
      <DetailsPanel key={appId} app={app} />
      <RedirectUris appId={appId} />
      <LogoPanel app={app} />
      <ConditionsPanel app={app} />
      <DangerPanel app={app} mayManage={role === 'owner' || role === 'admin'} />
    </Page>
  )
}

type DetailFields = Pick<App['attributes'], 'name' | 'description' | 'website_url' | 'setup_url'>

/** The fields that this person changed. The other fields are not sent, because another person may have changed them meanwhile. */
function changedFields(wanted: DetailFields, opened: DetailFields): Partial<DetailFields> {
  const names = Object.keys(wanted) as (keyof DetailFields)[]
  return Object.fromEntries(names.flatMap((name) => (wanted[name] === opened[name] ? [] : [[name, wanted[name]]])))
}

/** The API has null for an empty field. */
const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

function DetailsPanel({ app }: { readonly app: App }) {
  const { attributes } = app
  const [opened, setOpened] = useState<DetailFields>(attributes)
  const [name, setName] = useState(attributes.name)
  const [description, setDescription] = useState(attributes.description ?? '')
  const [website, setWebsite] = useState(attributes.website_url ?? '')
  const [setup, setSetup] = useState(attributes.setup_url ?? '')
  const saving = useAction({
    run: async () => {
      const wanted: DetailFields = {
        ...{ name: name.trim(), description: orNull(description) },
        ...{ website_url: orNull(website), setup_url: orNull(setup) },
      }
      const body = changedFields(wanted, opened)
      await read(client.PATCH('/portal/api/apps/{app_id}', { params: { path: { app_id: app.id } }, body }))
      return wanted
    },
    done: 'The settings are saved',
    changes: [appsQuery.queryKey],
    onDone: setOpened,
  })
  const fields = saving.error instanceof ApiFailure ? saving.error.fieldErrors() : {}
  return (
    <Panel title="Details" hint="People see these details when they are asked to connect the app.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(undefined)
        }}
      >
        <dl className="facts">
          <div>
            <dt>App id</dt>
            <dd>
              <CopyText value={app.id} label="Copy the app id" />
            </dd>
          </div>
          <div>
            <dt>Organization</dt>
            <dd>{attributes.organization.name}</dd>
          </div>
          <div>
            <dt>API version</dt>
            <dd>{attributes.api_version}</dd>
          </div>
        </dl>
        <TextField label="Name" value={name} onChange={setName} error={fields['name']} maxLength={80} />
        <TextField
          label="Description"
          value={description}
          onChange={setDescription}
          error={fields['description']}
          lines={3}
          maxLength={1_000}
        />
        <TextField
          label="Website"
          hint="An https address."
          type="url"
          value={website}
          onChange={setWebsite}
          error={fields['website_url']}
          mono
        />
        <TextField
          label="Setup page"
          hint="The page that opens after a person has installed the app."
          type="url"
          value={setup}
          onChange={setSetup}
          error={fields['setup_url']}
          mono
        />
        {Object.keys(fields).length === 0 && <ActionError error={saving.error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isDisabled={saving.isPending || name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  )
}
