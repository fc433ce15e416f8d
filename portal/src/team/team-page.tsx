import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { meQuery } from '../api/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { MembersPanel } from './members-panel.tsx'
import { OrganizationPanel } from './organization-panel.tsx'
import { ReceivedInvitations } from './received-invitations.tsx'
import './team.css'
import { ROLE_NAMES } from './team-queries.ts'

/** The team to show to a person on several teams. Without it the page shows the first team. */
export type TeamSearch = { readonly organization?: string }

export function TeamPage() {
  const { data: me } = useSuspenseQuery(meQuery)
  const { organization: chosen }: TeamSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { organizations, invitations } = me.attributes
  const shown = organizations.find(({ id }) => id === chosen) ?? organizations[0]
  if (shown === undefined) {
    return (
      <Page title="Team">
        <ReceivedInvitations invitations={invitations} />
        <EmptyState
          title="You are on no team yet"
          action={<LinkButton to="/apps/new">Create an app with an organization</LinkButton>}
        >
          An organization owns apps, and its team works on them. Create one, or ask a colleague to invite{' '}
          {me.attributes.email}.
        </EmptyState>
      </Page>
    )
  }
  const { role } = shown.attributes
  return (
    <Page title="Team" status={<Badge>{`You: ${ROLE_NAMES[role]}`}</Badge>}>
      <ReceivedInvitations invitations={invitations} />
      {chosen !== undefined && chosen !== shown.id && (
        <p className="notice warning">You are not on the team of this link. The page shows another of your teams.</p>
      )}
      {organizations.length > 1 && (
        <SelectField
          label="Organization"
          value={shown.id}
          onChange={(organization) =>
            void navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, organization }) })
          }
          options={organizations.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
        />
      )}
      <OrganizationPanel key={`organization-${shown.id}`} organization={shown} />
      <MembersPanel key={`members-${shown.id}`} organization={shown} myId={me.id} />
      <InvitationsPanel key={`invitations-${shown.id}`} organization={shown} />
    </Page>
  )
}
