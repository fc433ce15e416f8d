import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, type Mode, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { inMode, mayAct, useConsoleMode, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog, ReasonGate } from './reason.tsx'
import { modeSearch, StaffPage } from './staff-page.tsx'

type Refused = Schemas['RefusedFact']
type Outcome = Schemas['FactOutcome']
type FactError = Refused['attributes']['error']

/** Shows one refused fact: why it was refused and what it said. A person can send it again or dismiss it. */
export function RefusedFactPage() {
  const { refusedId = '' }: { refusedId?: string } = useParams({ strict: false })
  const mode = useConsoleMode()
  return (
    <StaffPage
      title="Refused fact"
      crumbs={[{ label: 'Refused facts', to: '/facts/refused', search: modeSearch(mode) }]}
      least="support"
      what="refused facts"
      hasModes
    >
      <ReasonGate title="The fact">
        {(reason) => <RefusedFact key={`${mode} ${refusedId}`} id={refusedId} mode={mode} reason={reason} />}
      </ReasonGate>
    </StaffPage>
  )
}

type RefusedFactProps = { readonly id: string; readonly mode: Mode; readonly reason: string }

function RefusedFact({ id, mode, reason }: RefusedFactProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['refused fact', mode, id],
    queryFn: ({ signal }) =>
      read(
        client.GET('/platform/refused_facts/{refused_id}', {
          signal,
          headers: { ...because(reason), ...inMode(mode) },
          params: { path: { refused_id: id } },
        }),
      ),
    // After the fact was applied, it is no longer among the refused facts.
    enabled: outcome === null || outcome.status === 'refused',
  })
  if (data === undefined && error instanceof ApiFailure && error.status === 404) {
    return (
      <EmptyState title={`There is no such refused fact in ${mode} mode`}>
        It was sent again and applied, or it is older than 30 days, or it belongs to the other mode.
      </EmptyState>
    )
  }
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={8} />
  const refused = data.data
  return (
    <>
      {outcome !== null && <OutcomeNotice outcome={outcome} mode={mode} />}
      {outcome === null || outcome.status === 'refused' ? (
        <>
          <WhyPanel refused={refused} />
          <SendPanel refused={refused} mode={mode} onSent={setOutcome} />
          <DismissPanel refused={refused} mode={mode} />
        </>
      ) : null}
    </>
  )
}

function WhyPanel({ refused }: { readonly refused: Refused }) {
  const { fact_id, type, error, times, refused_at, dismissed_at, status } = refused.attributes
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['Fact id', fact_id === null ? 'It had none' : <CopyText key="id" value={fact_id} label="Copy the fact id" />],
    ['Type', type ?? 'It had none'],
    ['Kind of error', error.type],
    ['Refused', `${times} ${times === 1 ? 'time' : 'times'}`],
    ['Last time', <Time key="at" at={refused_at} />],
  ]
  return (
    <Panel title="Why it was refused">
      {status === 'applied' && (
        <p className="notice">A fact with this id has been applied since. There is nothing left to do.</p>
      )}
      {dismissed_at !== null && (
        <p className="notice">
          It was dismissed <Time at={dismissed_at} />. It returns to the list if another fact or error follows under its
          id.
        </p>
      )}
      <Errors error={error} />
      {error.code === 'id_reused' && (
        <p>It can never be applied under this id. Send it from your platform under a new id, and dismiss this one.</p>
      )}
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

type FieldError = { readonly field: string; readonly code: string; readonly message: string }

/** The message of an error, its invalid fields if there are several, and its other details. */
function Errors({ error }: { readonly error: FactError }) {
  const { fields, ...others } = error.details ?? {}
  const wrong = Array.isArray(fields) ? (fields as readonly FieldError[]) : []
  return (
    <>
      <p className="notice danger">{error.message}</p>
      {wrong.length > 1 && (
        <ul className="rows" aria-label="Wrong fields">
          {wrong.map(({ field, code, message }) => (
            <li key={`${field} ${code}`}>
              <span>
                <code>{field}</code> {message}
              </span>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
      {Object.keys(others).length > 0 && <Json value={others} label="Details of the error" />}
    </>
  )
}

type SendPanelProps = { readonly refused: Refused; readonly mode: Mode; readonly onSent: (outcome: Outcome) => void }

function SendPanel({ refused, mode, onSent }: SendPanelProps) {
  const role = useRole()
  const { fact_id, fact } = refused.attributes
  const stored = JSON.stringify(fact ?? emptyFact(refused), null, 2)
  const [text, setText] = useState(stored)
  const [isAsking, setAsking] = useState(false)
  const isChanged = fact === null || text !== stored
  const parsed = parseFact(text)
  const sending = useAction({
    run: async ({ why }: Decision) => {
      const headers = { ...because(why), ...inMode(mode) }
      const params = { path: { refused_id: refused.id } }
      const body = isChanged && 'fact' in parsed ? { body: { fact: parsed.fact } } : {}
      return (await read(client.POST('/platform/refused_facts/{refused_id}/send', { headers, params, ...body }))).data
    },
    changes: [['refused facts'], ['facts'], ['refused fact']],
    onResult: (outcome) => {
      onSent(outcome)
      setAsking(false)
    },
  })
  if (!mayAct(role, 'admin')) {
    return (
      <Panel title="What the fact said" hint="The role admin may mend it and send it again.">
        {fact === null ? <NotStored /> : <Json value={fact} label="The fact as it was sent" />}
      </Panel>
    )
  }
  const close = () => {
    sending.reset()
    setAsking(false)
  }
  const mistake = 'mistake' in parsed ? parsed.mistake : undefined
  return (
    <Panel
      title="Send it again"
      hint={
        fact === null
          ? 'Write the whole fact, under its own id.'
          : 'Mend the fact here, or send it as it is once its cause is mended elsewhere. Its id must stay.'
      }
    >
      {fact === null && <NotStored />}
      <form
        className="form fact-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (mistake === undefined) setAsking(true)
        }}
      >
        <TextField
          label="The fact"
          value={text}
          onChange={setText}
          lines={text.split('\n').length + 1}
          mono
          error={mistake}
        />
        <div className="form-actions">
          <Button type="submit" variant="primary" isDisabled={mistake !== undefined}>
            {isChanged ? 'Send the mended fact' : 'Send it as it is'}
          </Button>
          {text !== stored && (
            <Button variant="quiet" onPress={() => setText(stored)}>
              Undo the changes
            </Button>
          )}
        </div>
      </form>
      {isAsking && (
        <DecisionDialog
          title={`Send ${fact_id ?? 'the fact'} again in ${mode} mode?`}
          confirmLabel="Send again"
          reasonHint="Partners do not see it."
          isPending={sending.isPending}
          error={sending.error}
          onConfirm={sending.mutate}
          onClose={close}
        >
          <p>
            {isChanged ? 'The fact as you mended it' : 'The fact as it was sent'} is applied like a fact of the feed.
            Partners get its events.
          </p>
        </DecisionDialog>
      )}
    </Panel>
  )
}

type DismissPanelProps = Pick<SendPanelProps, 'refused' | 'mode'>

function DismissPanel({ refused, mode }: DismissPanelProps) {
  const role = useRole()
  const [isAsking, setAsking] = useState(false)
  const dismissing = useAction({
    run: ({ why }: Decision) =>
      read(
        client.POST('/platform/refused_facts/{refused_id}/dismiss', {
          headers: { ...because(why), ...inMode(mode) },
          params: { path: { refused_id: refused.id } },
        }),
      ),
    done: 'The fact is dismissed',
    changes: [['refused facts'], ['refused fact']],
    onResult: () => setAsking(false),
  })
  const { fact_id, status } = refused.attributes
  if (status === 'dismissed') return null
  if (!mayAct(role, 'compliance')) return <p className="hint">The role compliance may dismiss it.</p>
  return (
    <Panel
      title="Dismiss the fact"
      hint="The fact leaves this list, and stays among the dismissed facts for the rest of its 30 days."
    >
      <div className="form-actions">
        <Button onPress={() => setAsking(true)}>Dismiss the fact</Button>
      </div>
      {isAsking && (
        <DecisionDialog
          title={`Dismiss ${fact_id ?? 'the fact'} in ${mode} mode?`}
          confirmLabel="Dismiss"
          reasonHint="Partners do not see it."
          isPending={dismissing.isPending}
          error={dismissing.error}
          onConfirm={dismissing.mutate}
          onClose={() => {
            dismissing.reset()
            setAsking(false)
          }}
        >
          <p>Dismissing applies no part of the fact. Dismiss the fact if nothing is left to do about it.</p>
        </DecisionDialog>
      )}
    </Panel>
  )
}

function NotStored() {
  return (
    <p className="notice warning">
      The content of this fact is not stored: the fact was too long, or it is about a person who was erased. If you can,
      send the fact again from your platform.
    </p>
  )
}

const emptyFact = ({ attributes: { fact_id, type } }: Refused) => ({
  id: fact_id ?? '',
  type: type ?? '',
  occurred_at: '',
  data: {},
})

type ParsedFact = { readonly fact: Record<string, unknown> } | { readonly mistake: string }

function parseFact(text: string): ParsedFact {
  try {
    const fact: unknown = JSON.parse(text)
    if (typeof fact === 'object' && fact !== null && !Array.isArray(fact))
      return { fact: fact as Record<string, unknown> }
    return { mistake: 'A fact is a JSON object.' }
  } catch (error) {
    return { mistake: error instanceof Error ? `This is not JSON: ${error.message}` : 'This is not JSON.' }
  }
}

/** Shows what happened after the fact was sent again. */
function OutcomeNotice({ outcome, mode }: { readonly outcome: Outcome; readonly mode: Mode }) {
  if (outcome.status === 'refused') {
    return (
      <div className="notice danger" role="alert">
        It was refused again{outcome.error === undefined ? '.' : `: ${outcome.error.message}`}
      </div>
    )
  }
  const { id, events } = outcome
  return (
    <Panel title={outcome.status === 'applied' ? 'The fact is applied' : 'The fact had been applied before'}>
      <p role="status">
        It is no longer among the refused facts.{' '}
        {events.length === 0 ? 'It caused no event.' : 'Partners get the events that it caused:'}
      </p>
      {events.length > 0 && (
        <ul className="rows" aria-label="Events that it caused">
          {events.map((event) => (
            <li key={event.id}>
              <strong>{event.event}</strong>
              <CopyText value={event.id} label="Copy the event id" />
            </li>
          ))}
        </ul>
      )}
      {id !== null && (
        <p>
          <Link to="/facts/applied/$factId" params={{ factId: id }} search={modeSearch(mode)}>
            Open the fact
          </Link>
        </p>
      )}
    </Panel>
  )
}
