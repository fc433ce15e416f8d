import { type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import { TextField } from './field.tsx'

type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons. By default one button closes the dialog. */
  readonly actions?: ReactNode
  /** False if a click outside of the dialog must not close it, because its content would be lost. */
  readonly isDismissable?: boolean
}

export function Dialog({ title, isOpen, onClose, children, actions, isDismissable = true }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className="modal">
        <AriaDialog className="dialog">
          <Heading slot="title">{title}</Heading>
          {children}
          <div className="dialog-actions">{actions ?? <Button onPress={onClose}>Close</Button>}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type ConfirmDialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Says in full sentences what the action does. */
  readonly children: ReactNode
  /** A text that the person has to type, such as the name of the deleted app. Without it one click is enough. */
  readonly typed?: string
  /** Names the action and the record: "Delete Fieldbook CRM". */
  readonly confirmLabel: string
  readonly onConfirm: () => void
  readonly isPending?: boolean
  readonly error?: ReactNode
}

/** Asks the person to confirm an action that has a large effect or cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, children, typed, confirmLabel, onConfirm, isPending = false, error } = props
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const isReady = typed === undefined || text === typed
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button variant="danger" onPress={onConfirm} isDisabled={!isReady || isPending}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} autoFocus />
      )}
      {error}
    </Dialog>
  )
}

type SecretDialogProps = {
  readonly title: string
  /** The dialog is open while there is a secret. */
  readonly secret: string | null
  /** Says where to store the secret. */
  readonly children: ReactNode
  /** Shown below the secret. Says how to use it. */
  readonly use?: ReactNode
  /** Other texts of the dialog, for a secret that the person does not store. */
  readonly copyLabel?: string
  readonly doneLabel?: string
  readonly once?: string
  readonly onClose: () => void
}

const SHOWN_ONCE = 'The secret is shown only this time. We cannot show it again.'

/** Shows a secret that the server returns only once. Only the button below it closes the dialog. */
export function SecretDialog({ title, secret, children, use, onClose, ...words }: SecretDialogProps) {
  const { copyLabel = 'Copy the secret', doneLabel = 'I have stored it', once = SHOWN_ONCE } = words
  return (
    <Dialog
      title={title}
      isOpen={secret !== null}
      onClose={onClose}
      isDismissable={false}
      actions={
        <Button variant="primary" onPress={onClose}>
          {doneLabel}
        </Button>
      }
    >
      {children}
      <div className="secret">
        <CopyText value={secret ?? ''} label={copyLabel} />
      </div>
      {use}
      <p className="notice warning">{once}</p>
    </Dialog>
  )
}
