import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { operatorQuery } from './operator.ts'

/** Of a request under `/platform`: why it is made. The audit keeps it; the partner never sees it. */
export const because = (reason: string) => ({ 'X-Portico-Reason': encodeURIComponent(reason.trim()) })

/** Of one person: the next one who signs in within the same tab gives a reason of their own. */
const keyOf = (operator: string) => `portico.reason.${operator}`
const SHORTEST = 3
const LONGEST = 500
const readers = new Set<() => void>()
const subscribe = (notify: () => void) => {
  readers.add(notify)
  return () => readers.delete(notify)
}

/** Why the person reads about people in this tab; null until they say it. */
function useReadingReason(operator: string): string | null {
  return useSyncExternalStore(subscribe, () => sessionStorage.getItem(keyOf(operator)))
}

function setReadingReason(operator: string, reason: string): void {
  sessionStorage.setItem(keyOf(operator), reason)
  for (const notify of readers) notify()
}

type ReasonGateProps = {
  readonly title: string
  readonly children: (reason: string) => ReactNode
}

/** In front of what names people: asks once in a tab why the person reads it, and lets them change it. */
export function ReasonGate({ title, children }: ReasonGateProps) {
  const { id: operator } = useSuspenseQuery(operatorQuery).data
  const reason = useReadingReason(operator)
  const [text, setText] = useState(reason ?? '')
  const [isChanging, setChanging] = useState(false)
  if (reason !== null && !isChanging) {
    return (
      <>
        <p className="hint">
          The audit records that you read this, and why: {reason}{' '}
          <Button variant="quiet" onPress={() => setChanging(true)}>
            Change the reason
          </Button>
        </p>
        {children(reason)}
      </>
    )
  }
  const save = () => {
    setReadingReason(operator, text.trim())
    setChanging(false)
  }
  return (
    <Panel title={title} hint="It names people. The audit records that you read it, and why.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReason(text)) save()
        }}
      >
        <TextField
          label="Why do you read it?"
          hint="For example the number of a ticket. It holds for this tab."
          value={text}
          onChange={setText}
          maxLength={LONGEST}
        />
        <div className="form-actions">
          <Button type="submit" isDisabled={!isReason(text)}>
            Show it
          </Button>
        </div>
      </form>
    </Panel>
  )
}

const isReason = (text: string) => text.trim().length >= SHORTEST

export type Decision = {
  /** For the audit. */
  readonly why: string
  /** For the partner's team; empty if the dialog does not ask for it. */
  readonly toTeam: string
}

type DecisionDialogProps = {
  readonly title: string
  /** What happens then, in full sentences. */
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly isDangerous?: boolean
  /** The label of a second text, which the team gets. */
  readonly teamLabel?: string
  /** Who does not see the reason; without it, the partner's team. */
  readonly reasonHint?: string
  /** What has to be typed, for what cannot be undone. */
  readonly typed?: string
  /** False while something in the dialog is missing. */
  readonly isComplete?: boolean
  readonly isPending: boolean
  readonly error: Error | null
  readonly onConfirm: (decision: Decision) => void
  readonly onClose: () => void
}

/** A decision about a partner or a person. Every one needs its reason. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { title, children, confirmLabel, isDangerous = false, teamLabel, typed, isPending, error } = props
  const { reasonHint = 'The team does not see it.', isComplete = true } = props
  const [why, setWhy] = useState('')
  const [toTeam, setToTeam] = useState('')
  const [text, setText] = useState('')
  const isReady =
    isComplete &&
    isReason(why) &&
    (teamLabel === undefined || isReason(toTeam)) &&
    (typed === undefined || text === typed)
  return (
    <Dialog
      title={title}
      isOpen
      onClose={props.onClose}
      isDismissable={false}
      actions={
        <>
          <Button onPress={props.onClose}>Cancel</Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            onPress={() => props.onConfirm({ why, toTeam: toTeam.trim() })}
            isDisabled={!isReady || isPending}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {teamLabel !== undefined && (
        <TextField label={teamLabel} hint="The team gets this text." value={toTeam} onChange={setToTeam} lines={3} />
      )}
      <TextField label="Reason for the audit" hint={reasonHint} value={why} onChange={setWhy} maxLength={LONGEST} />
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} />}
      <ActionError error={error} />
    </Dialog>
  )
}

type LinkDialogProps = {
  readonly title: string
  readonly url: string
  readonly expiresAt: string
  /** Whom to send it to, and what it does. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A link that opens an account, shown once. */
export function LinkDialog({ title, url, expiresAt, children, onClose }: LinkDialogProps) {
  return (
    <SecretDialog
      title={title}
      secret={url}
      copyLabel="Copy the link"
      doneLabel="I have copied it"
      once="This is the only time it is shown. It opens the account to anyone who has it, so send it to the person only."
      onClose={onClose}
    >
      <p>
        {children} It expires <Time at={expiresAt} />.
      </p>
    </SecretDialog>
  )
}
