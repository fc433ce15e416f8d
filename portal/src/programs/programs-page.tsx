import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type App, client, read } from '../api/client.ts'
import { appQuery, appsQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type Program = App['attributes']['programs'][number]['program']

type Offer = {
  readonly program: Program
  readonly tier?: 0 | 1
  readonly title: string
  readonly benefit: string
}

const OFFERS: readonly Offer[] = [
  {
    program: 'marketing_partner',
    tier: 0,
    title: 'Marketing partner, tier 0',
    benefit: 'The totals of your referrals at a company, without single investments (read:attribution:aggregate).',
  },
  {
    program: 'marketing_partner',
    tier: 1,
    title: 'Marketing partner, tier 1',
    benefit:
      'Each investment from your referrals as a week, a size and a status, without names (read:attribution:anonymized).',
  },
  {
    program: 'founder',
    title: 'Founder',
    benefit:
      'On installations by a founder: each investment from your referrals, and who made it (read:attribution:full).',
  },
]

export function ProgramsPage() {
  const appId = useAppId() ?? ''
  const { data: app } = useSuspenseQuery(appQuery(appId))
  return (
    <Page
      title="Programs"
      crumbs={appCrumbs(app)}
      lead="The platform’s staff decide on these requests. A decision applies to both modes. The app’s history lists requests and decisions."
    >
      <ConditionsPanel app={app} />
      <PiiPanel app={app} />
      <Panel title="Programs" hint="A program adds scopes to your app. People consent to them as to any other scope.">
        <ul className="rows">
          {OFFERS.map((offer) => (
            <li key={offer.title}>
              <ProgramRow app={app} offer={offer} />
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  )
}

function ConditionsPanel({ app }: { readonly app: App }) {
  const { version, url, accepted_by, accepted_at } = app.attributes.conditions
  return (
    <Panel
      title="Usage conditions"
      hint="The usage conditions say what your app may do with the data that it receives."
    >
      <dl className="facts">
        <div>
          <dt>Accepted version</dt>
          <dd>
            <a href={url} target="_blank" rel="noreferrer">
              {version}
            </a>
          </dd>
        </div>
        <div>
          <dt>Accepted by</dt>
          <dd>
            <CopyText value={accepted_by} label="Copy the account id" />
          </dd>
        </div>
        <div>
          <dt>Accepted</dt>
          <dd>
            <Time at={accepted_at} />
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

function PiiPanel({ app }: { readonly app: App }) {
  const { name, pii } = app.attributes
  const [isAsking, setAsking] = useState(false)
  const requesting = useAction({
    run: () => read(client.POST('/portal/api/apps/{app_id}/pii_request', { params: { path: { app_id: app.id } } })),
    done: 'The request is sent',
    changes: [appsQuery.queryKey],
    onDone: () => setAsking(false),
  })
  const isOpen = pii.approved_at === null && pii.requested_at === null
  return (
    <Panel
      title="Investor PII"
      hint="Names and email addresses of investors (read:investors:pii). An installation made before the approval does not get this scope until the company installs the app again."
      actions={isOpen ? <Button onPress={() => setAsking(true)}>Request approval</Button> : undefined}
    >
      <Decision requested={pii.requested_at} approved={pii.approved_at} />
      <ConfirmDialog
        title="Request approval for investor PII?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirmLabel="Send the request"
        onConfirm={() => requesting.mutate(undefined)}
        isPending={requesting.isPending}
        error={<ActionError error={requesting.error} />}
      >
        <p>
          The platform’s staff look at {name} and decide. By the usage conditions that you accepted, your app must
          delete this data when an installation is revoked.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}

type DecisionProps = { readonly requested: string | null; readonly approved: string | null }

function Decision({ requested, approved }: DecisionProps) {
  const [tone, word, at]: readonly [Tone, string, string | null] =
    approved !== null
      ? ['good', 'Approved', approved]
      : requested !== null
        ? ['warning', 'Requested, not decided yet', requested]
        : ['neutral', 'Not requested', null]
  return (
    <p className="hint">
      <Badge tone={tone}>{word}</Badge> {at !== null && <Time at={at} />}
    </p>
  )
}

/** The request for an offer, and its approval; undefined if the team has not requested the offer. A higher tier includes the lower one. */
function requestOf(app: App, { program, tier = 0 }: Offer): DecisionProps | undefined {
  const entry = app.attributes.programs.find((each) => each.program === program)
  if (entry === undefined) return undefined
  const { requested_at: requested, approved_at: approved } = entry
  if ((entry.tier ?? 0) >= tier) return { requested, approved }
  // While the team requests a higher tier, `entry.tier` is still the tier that the app has.
  const isRequested = requested !== null && approved !== null && requested > approved
  return isRequested ? { requested, approved: null } : undefined
}

function ProgramRow({ app, offer }: { readonly app: App; readonly offer: Offer }) {
  const { program, tier, title, benefit } = offer
  const request = requestOf(app, offer)
  const requesting = useAction({
    run: () => {
      const params = { path: { app_id: app.id } }
      const body = { program, ...(tier === undefined ? {} : { tier }) }
      return read(client.POST('/portal/api/apps/{app_id}/program_requests', { params, body }))
    },
    done: `${title} is requested`,
    changes: [appsQuery.queryKey],
  })
  return (
    <>
      <div>
        <strong>{title}</strong>
        <p className="hint">{benefit}</p>
        <Decision requested={request?.requested ?? null} approved={request?.approved ?? null} />
        <ActionError error={requesting.error} />
      </div>
      {request === undefined && (
        <Button
          onPress={() => requesting.mutate(undefined)}
          isDisabled={requesting.isPending}
          aria-label={`Request ${title}`}
        >
          Request
        </Button>
      )}
    </>
  )
}
