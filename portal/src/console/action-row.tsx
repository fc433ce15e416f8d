import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { type Decision, DecisionDialog } from './reason.tsx'

type ActionRowProps<Result> = {
  readonly label: string
  readonly hint: ReactNode
  /** Null: the role may not do it. */
  readonly button: string | null
  readonly isDangerous?: boolean
  readonly title: string
  /** What happens then, in full sentences. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** What else the person enters, before the reason. */
  readonly fields?: ReactNode
  readonly isComplete?: boolean
  readonly run: (decision: Decision) => Promise<Result>
  readonly changes: readonly QueryKey[]
  readonly done?: string
  readonly onResult?: (result: Result) => void
}

/** One thing that can be done to a person, in a list: what it does, a button, and the dialog that asks for the reason. */
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
