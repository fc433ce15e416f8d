import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, read } from '../api/client.ts'
import { appsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'

const conditionsQuery = {
  queryKey: ['usage-conditions'],
  queryFn: async () => (await read(client.GET('/portal/api/usage_conditions'))).data,
}

const CRUMBS = [{ label: 'Apps', to: '/apps' }]

/**
 * A person without an active organization enters the name of a new one. The page creates the organization, then the
 * app.
 */
export function NewAppPage() {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: conditions } = useQuery(conditionsQuery)
  const navigate = useNavigate()
  const organizations = me.attributes.organizations.filter(({ attributes }) => attributes.status === 'active')
  const [organizationId, setOrganizationId] = useState(organizations[0]?.id ?? '')
  const [organizationName, setOrganizationName] = useState('')
  const [name, setName] = useState('')
  const [isAccepted, setAccepted] = useState(false)
  const creating = useAction({
    run: async () => {
      const organization_id = organizationId === '' ? await createOrganization(organizationName) : organizationId
      setOrganizationId(organization_id)
      const body = { organization_id, name, accepted_conditions: conditions?.version ?? '' }
      return (await read(client.POST('/portal/api/apps', { body }))).data
    },
    done: `${name} is created`,
    changes: [appsQuery.queryKey, meQuery.queryKey],
    onDone: ({ id }) => navigate({ to: `/apps/${id}` }),
  })
  const fields = creating.error instanceof ApiFailure ? creating.error.fieldErrors() : {}
  const isReady = name !== '' && isAccepted && (organizationId !== '' || organizationName !== '')
  return (
    <Page title="Create an app" crumbs={CRUMBS} lead="You can change the name later. Keys for test mode come next.">
      <form
        className="form narrow"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) creating.mutate(undefined)
        }}
      >
        {organizations.length > 0 ? (
          <SelectField
            label="Organization"
            value={organizationId}
            onChange={setOrganizationId}
            options={organizations.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
          />
        ) : (
          <TextField
            label="Organization"
            hint="The company or team that the app belongs to. People see it when they consent."
            value={organizationName}
            onChange={setOrganizationName}
            maxLength={80}
          />
        )}
        <TextField
          label="Name"
          hint="People see it when they are asked to connect the app."
          value={name}
          onChange={setName}
          error={fields['name']}
          maxLength={80}
        />
        <label className="check">
          <input type="checkbox" checked={isAccepted} onChange={(event) => setAccepted(event.target.checked)} />
          <span>
            I have read and accept the{' '}
            <a href={conditions?.url ?? '/conditions'} target="_blank" rel="noreferrer">
              usage conditions
            </a>{' '}
            for this app.
          </span>
        </label>
        {Object.keys(fields).length === 0 && <ActionError error={creating.error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isDisabled={!isReady || creating.isPending}>
            Create the app
          </Button>
        </div>
      </form>
    </Page>
  )
}

async function createOrganization(name: string): Promise<string> {
  return (await read(client.POST('/portal/api/organizations', { body: { name } }))).data.id
}
