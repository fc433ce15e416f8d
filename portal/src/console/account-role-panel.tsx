import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { SelectField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { ACCOUNT_CHANGES } from './accounts-page.tsx'
import { ActionRow } from './action-row.tsx'
import { mayAct, ROLES, type StaffRole } from './operator.ts'
import { because } from './reason.tsx'

type Account = Schemas['Account']

const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }))

/** The person's role on the platform's staff. Only an admin can give, change or revoke it. */
export function RolePanel({ account, role }: { readonly account: Account; readonly role: StaffRole }) {
  const { name, staff_role } = account.attributes
  const [given, setGiven] = useState<StaffRole>(staff_role ?? 'viewer')
  if (!mayAct(role, 'admin')) {
    return (
      <Panel title="Staff role" hint="Only an admin can give, change or revoke it.">
        <p>{staff_role === null ? 'None' : <Badge>{staff_role}</Badge>}</p>
      </Panel>
    )
  }
  const params = { path: { id: account.id } }
  return (
    <Panel
      title="Staff role"
      hint="The person can use the role only with a second factor. A change takes effect with the person’s next request."
    >
      <ul className="rows">
        <ActionRow
          label={staff_role ?? 'None'}
          hint={staff_role === null ? 'Not on the staff of the platform.' : 'The role on the staff of the platform.'}
          button={staff_role === null ? 'Give a role' : 'Change the role'}
          title={staff_role === null ? `Give ${name} a role?` : `Change the role of ${name}?`}
          confirmLabel="Give the role"
          changes={ACCOUNT_CHANGES}
          isComplete={given !== staff_role}
          run={({ why }) =>
            read(
              client.PUT('/platform/accounts/{id}/staff_role', {
                params,
                headers: because(why),
                body: { role: given },
              }),
            )
          }
          done="The role is given"
          fields={
            <SelectField
              label="Role"
              value={given}
              options={ROLE_OPTIONS}
              onChange={(value) => setGiven(ROLES.find((each) => each === value) ?? 'viewer')}
            />
          }
        >
          Each role may do what the roles before it may: viewer, support, compliance, admin.
        </ActionRow>
        {staff_role !== null && (
          <ActionRow
            label="Revoke"
            hint="The account stays."
            button="Revoke the role"
            isDangerous
            title={`Revoke the role of ${name}?`}
            confirmLabel="Revoke"
            changes={ACCOUNT_CHANGES}
            run={({ why }) =>
              read(client.DELETE('/platform/accounts/{id}/staff_role', { params, headers: because(why) }))
            }
            done="The role is revoked"
          >
            From the next request on, {name} can no longer use the console.
          </ActionRow>
        )}
      </ul>
    </Panel>
  )
}
