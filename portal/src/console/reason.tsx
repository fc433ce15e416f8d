import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { operatorQuery } from './operator.ts'

/** The header of a request under `/platform` with its reason. The audit stores the reason, and the partner never sees it. */
export const because = (reason: string) => ({ 'X-Portico-Reason': encodeURIComponent(reason.trim()) })

/** The key of a person's reason in the storage of the tab. A person who signs in later in the same tab has to give their own reason. */
const storageKeyOf = (operator: string) => `portico.reason.${operator}`
const REASON_LENGTH_MIN = 3
const REASON_LENGTH_MAX = 500
const readers = new Set<() => void>()
const subscribe = (notify: () => void) => {
  readers.add(notify)
  return () => readers.delete(notify)
}

/** The reason for which the person reads personal data in this tab. Null until they enter it. */
function useReadingReason(operator: string): string | null {
  return useSyncExternalStore(subscribe, () => sessionStorage.getItem(storageKeyOf(operator)))
}

function setReadingReason(operator: string, reason: string): void {
  sessionStorage.setItem(storageKeyOf(operator), reason)
  for (const notify of readers) notify()
}

type ReasonGateProps = {
  readonly title: string
  readonly children: (reason: string) => ReactNode
}

/** Asks once in a tab why the person reads personal data, before it shows the data. The person can change the reason. */
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
    <Panel title={title} hint="This page names people. The audit records that you read the page, and why.">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReason(text)) save()
        }}
      >
        <TextField
          label="Why do you read it?"
          hint="For example the number of a ticket. The reason is valid for this tab."
          value={text}
          onChange={setText}
          maxLength={REASON_LENGTH_MAX}
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

const isReason = (text: string) => text.trim().length >= REASON_LENGTH_MIN

export type Decision = {
  /** The reason for the audit. */
  readonly why: string
  /** The text for the partner's team. Empty if the dialog does not ask for one. */
  readonly toTeam: string
}

type DecisionDialogProps = {
  readonly title: string
  /** Says in full sentences what the decision does. */
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly isDangerous?: boolean
  /** The label of a second text, which the team gets. */
  readonly teamLabel?: string
  /** Says who does not see the reason. The default names the partner's team. */
  readonly reasonHint?: string
  /** A text that the person has to type, for a decision that cannot be undone. */
  readonly typed?: string
  /** False while one of the other fields is missing or invalid. */
  readonly isComplete?: boolean
  readonly isPending: boolean
  readonly error: Error | null
  readonly onConfirm: (decision: Decision) => void
  readonly onClose: () => void
}

/** Asks the person to confirm a decision about a partner or an account. Every decision needs a reason. */
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
      <TextField
        label="Reason for the audit"
        hint={reasonHint}
        value={why}
        onChange={setWhy}
        maxLength={REASON_LENGTH_MAX}
      />
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} />}
      <ActionError error={error} />
    </Dialog>
  )
}

type LinkDialogProps = {
  readonly title: string
  readonly url: string
  readonly expiresAt: string
  /** Says to whom the link has to be sent, and what it does. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Shows a link that opens an account. The link is shown only once. */
export function LinkDialog({ title, url, expiresAt, children, onClose }: LinkDialogProps) {
  return (
    <SecretDialog
      title={title}
      secret={url}
      copyLabel="Copy the link"
      doneLabel="I have copied it"
      once="The link is shown only this time. It opens the account to any person who has it, so send it to this person only."
      onClose={onClose}
    >
      <p>
        {children} The link expires <Time at={expiresAt} />.
      </p>
    </SecretDialog>
  )
}
