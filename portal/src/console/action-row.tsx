import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { type Decision, DecisionDialog } from './reason.tsx'

type ActionRowProps<Result> = {
  readonly label: string
  readonly hint: ReactNode
  /** The text of the button. Null if the role of the staff member does not allow the action. */
  readonly button: string | null
  readonly isDangerous?: boolean
  readonly title: string
  /** Says in full sentences what the action does. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** Fields that the dialog shows before the field for the reason. */
  readonly fields?: ReactNode
  readonly isComplete?: boolean
  readonly run: (decision: Decision) => Promise<Result>
  readonly changes: readonly QueryKey[]
  readonly done?: string
  readonly onResult?: (result: Result) => void
}

/** One action on an account in a list: what it does, its button, and the dialog that asks for the reason. */
export function ActionRow<Result>(props: ActionRowProps<Result>) {
  const { label, hint, button, isDangerous = false, title, children, confirmLabel, fields, isComplete = true } = props
  const [isAsking, setAsking] = useState(false)
  const acting = useAction<Decision, Result>({
    run: props.run,
    changes: props.changes,
    ...(props.done === undefined ? {} : { done: props.done }),
    onResult: (result) => {
      setAsking(false)
      props.onResult?.(result)
    },
  })
  return (
    <li>
      <div>
        <strong>{label}</strong>
        <p className="hint">{hint}</p>
      </div>
      {button !== null && (
        <Button variant={isDangerous ? 'danger' : 'plain'} onPress={() => setAsking(true)}>
          {button}
        </Button>
      )}
      {isAsking && (
        <DecisionDialog
          title={title}
          confirmLabel={confirmLabel}
          isDangerous={isDangerous}
          reasonHint="The person does not see it."
          isComplete={isComplete}
          isPending={acting.isPending}
          error={acting.error}
          onConfirm={acting.mutate}
          onClose={() => {
            acting.reset()
            setAsking(false)
          }}
        >
          <p>{children}</p>
          {fields}
        </DecisionDialog>
      )}
    </li>
  )
}
