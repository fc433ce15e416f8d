import { useState } from 'react'
import { type App, client, read } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { mayAct, PARTNER_CHANGES, type StaffRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { waitingSince } from './waiting-since.ts'

type Program = App['attributes']['programs'][number]

/** An approval that the platform can grant to an app, withdraw or decline. */
type Grant = {
  readonly key: string
  readonly label: string
  /** The name of the approval within a sentence, such as "the app" in "Approve the app for …". */
  readonly title: string
  /** Says in a sentence what the app gets. */
  readonly benefit: string
  /** Says in a sentence what happens when the approval is withdrawn. */
  readonly loss: string
  readonly givenAt: string | null
  /** Since when the team has waited for a decision. Null if it does not wait. */
  readonly waitsSince: string | null
  readonly approve: (why: string) => Promise<unknown>
  readonly withdraw: (why: string) => Promise<unknown>
  readonly decline: (decision: Decision) => Promise<unknown>
}

type ApprovalsPanelProps = { readonly app: App; readonly role: StaffRole }

/** Shows what the platform decides about an app: its approval, investor PII and programs. */
export function ApprovalsPanel({ app, role }: ApprovalsPanelProps) {
  const grants = [approvalOf(app), piiOf(app), ...app.attributes.programs.flatMap((program) => programOf(app, program))]
  const mayDecide = mayAct(role, 'compliance')
  return (
    <Panel
      title="Approvals"
      hint={
        mayDecide ? 'The team gets a mail when you approve or decline.' : 'The role compliance decides about these.'
      }
    >
      <ul className="rows">
        {grants.map((grant) => (
          <GrantRow key={grant.key} app={app} grant={grant} mayDecide={mayDecide} />
        ))}
      </ul>
    </Panel>
  )
}

type GrantRowProps = { readonly app: App; readonly grant: Grant; readonly mayDecide: boolean }

function GrantRow({ app, grant, mayDecide }: GrantRowProps) {
  const [openDialog, setOpenDialog] = useState<'approve' | 'decline' | 'withdraw' | null>(null)
  const { name } = app.attributes
  const { label, title, benefit, loss, givenAt, waitsSince } = grant
  const deciding = useAction({
    run: (decision: Decision) =>
      openDialog === 'decline'
        ? grant.decline(decision)
        : openDialog === 'withdraw'
          ? grant.withdraw(decision.why)
          : grant.approve(decision.why),
    done: 'The decision is made',
    changes: PARTNER_CHANGES,
    onResult: () => setOpenDialog(null),
  })
  const close = () => {
    deciding.reset()
    setOpenDialog(null)
  }
  const common = { isPending: deciding.isPending, error: deciding.error, onConfirm: deciding.mutate, onClose: close }
  return (
    <li>
      <div>
        <p>
          <strong>{label}</strong> {givenAt !== null && <Badge tone="good">Approved</Badge>}
          {waitsSince !== null && <Badge tone="warning">Waits</Badge>}
        </p>
        <p className="hint">{benefit}</p>
        {givenAt !== null && (
          <p className="hint">
            Since <Time at={givenAt} />
          </p>
        )}
        {waitsSince !== null && (
          <p className="hint">
            Asked <Time at={waitsSince} />
          </p>
        )}
      </div>
      {mayDecide && (
        <div className="form-actions">
          {waitsSince !== null && (
            <Button onPress={() => setOpenDialog('decline')}>
              Decline<span className="unseen"> {title}</span>
            </Button>
          )}
          {givenAt === null ? (
            <Button variant={waitsSince === null ? 'plain' : 'primary'} onPress={() => setOpenDialog('approve')}>
              Approve<span className="unseen"> {title}</span>
            </Button>
          ) : (
            <Button variant="danger" onPress={() => setOpenDialog('withdraw')}>
              Withdraw<span className="unseen"> {title}</span>
            </Button>
          )}
        </div>
      )}
      {openDialog === 'approve' && (
        <DecisionDialog {...common} title={`Approve ${title} for ${name}?`} confirmLabel="Approve">
          <p>{benefit} The team gets a mail.</p>
        </DecisionDialog>
      )}
      {openDialog === 'decline' && (
        <DecisionDialog
          {...common}
          title={`Decline ${title} for ${name}?`}
          confirmLabel="Decline"
          teamLabel="What the team has to know"
        >
          <p>Nothing changes for the app. The team gets your text by mail, and can ask again.</p>
        </DecisionDialog>
      )}
      {openDialog === 'withdraw' && (
        <DecisionDialog
          {...common}
          title={`Withdraw ${title} from ${name}?`}
          confirmLabel="Withdraw"
          isDangerous
          typed={name}
        >
          <p>{loss}</p>
        </DecisionDialog>
      )}
    </li>
  )
}

const declineRequest =
  (app: App, body: { kind: 'approval' | 'pii' | 'program'; program?: Program['program'] }) => (decision: Decision) =>
    read(
      client.POST('/platform/apps/{app_id}/requests/decline', {
        headers: because(decision.why),
        params: { path: { app_id: app.id } },
        body: { ...body, reason: decision.toTeam },
      }),
    )

function approvalOf(app: App): Grant {
  const { approved_at, approval, created_at } = app.attributes
  const params = { path: { app_id: app.id } }
  return {
    key: 'approval',
    label: 'The app itself',
    title: 'the app',
    benefit: 'People outside of its team can install it and consent to it, in live mode.',
    loss: 'Only people of its team can install it from now on. What is installed stays.',
    givenAt: approved_at,
    // A new app waits from its creation on, without a request of its team.
    waitsSince:
      approved_at === null
        ? waitingSince(app, { requestedAt: approval.requested_at ?? created_at, decidedAt: approval.declined_at })
        : null,
    approve: (why) => read(client.POST('/platform/apps/{app_id}/approve', { params, headers: because(why) })),
    withdraw: (why) => read(client.POST('/platform/apps/{app_id}/unapprove', { params, headers: because(why) })),
    decline: declineRequest(app, { kind: 'approval' }),
  }
}

function piiOf(app: App): Grant {
  const { requested_at, approved_at } = app.attributes.pii
  const params = { path: { app_id: app.id } }
  return {
    key: 'pii',
    label: 'Investor PII',
    title: 'investor PII',
    benefit:
      'New installations by a founder that ask for read:investors:pii get this scope. With it the app reads names, email addresses and postal addresses of investors.',
    loss: 'The installations that have read:investors:pii because of this approval are revoked at once, and the team has to delete the data that it received. A later approval does not restore the installations.',
    givenAt: approved_at,
    waitsSince: waitingSince(app, { requestedAt: requested_at, decidedAt: approved_at }),
    approve: (why) => read(client.POST('/platform/apps/{app_id}/pii_approval', { params, headers: because(why) })),
    withdraw: (why) => read(client.DELETE('/platform/apps/{app_id}/pii_approval', { params, headers: because(why) })),
    decline: declineRequest(app, { kind: 'pii' }),
  }
}

const HIGHER_TIER = 1

/**
 * An app that is in a program keeps its tier while its team waits for the higher one. The record then shows the tier that the app has,
 * so the request gets a row of its own.
 */
function programOf(app: App, { program, tier, requested_at, approved_at }: Program): readonly Grant[] {
  const since = waitingSince(app, { requestedAt: requested_at, decidedAt: approved_at })
  if (approved_at === null) return [tierOf(app, { program, tier, givenAt: null, waitsSince: since })]
  const given = tierOf(app, { program, tier, givenAt: approved_at, waitsSince: null })
  if (since === null) return [given]
  return [
    { ...given, loss: `${given.loss} The request for tier ${HIGHER_TIER} is deleted, too.` },
    tierOf(app, { program, tier: HIGHER_TIER, givenAt: null, waitsSince: since }),
  ]
}

type Tier = Pick<Program, 'program' | 'tier'> & Pick<Grant, 'givenAt' | 'waitsSince'>

function tierOf(app: App, { program, tier, givenAt, waitsSince }: Tier): Grant {
  const path = { app_id: app.id }
  const title =
    program === 'founder'
      ? 'the program founder'
      : `the program marketing partner${tier === null ? '' : `, tier ${tier}`}`
  const body = { program, ...(tier === 0 || tier === 1 ? { tier } : {}) }
  return {
    key: `${program} ${tier}`,
    label: title.replace('the program', 'Program'),
    title,
    benefit: 'The app gets the scopes of the program. People consent to them as to any other scope.',
    loss: 'The scopes of the program are removed from the app, its installations and tokens at once.',
    givenAt,
    waitsSince,
    approve: (why) =>
      read(client.POST('/platform/apps/{app_id}/programs', { params: { path }, headers: because(why), body })),
    withdraw: (why) =>
      read(
        client.DELETE('/platform/apps/{app_id}/programs/{program}', {
          params: { path: { ...path, program } },
          headers: because(why),
        }),
      ),
    decline: declineRequest(app, { kind: 'program', program }),
  }
}
