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
  /** The buttons; without them there is one that closes the dialog. */
  readonly actions?: ReactNode
  /** False where a click beside the dialog must not lose what is in it. */
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
  /** What will be gone, in full sentences. */
  readonly children: ReactNode
  /** What has to be typed, such as the name of what is destroyed; without it one click is enough. */
  readonly typed?: string
  /** Names the act and the thing: "Delete Fieldbook CRM". */
  readonly confirmLabel: string
  readonly onConfirm: () => void
  readonly isPending?: boolean
  readonly error?: ReactNode
}

/** For what cannot be undone. */
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
  /** Null: closed. */
  readonly secret: string | null
  /** Where the secret belongs and what replaces it. */
  readonly children: ReactNode
  /** Below the secret: how it is used. */
  readonly use?: ReactNode
  /** For another kind of secret than one to be stored: the words of the dialog. */
  readonly copyLabel?: string
  readonly doneLabel?: string
  readonly once?: string
  readonly onClose: () => void
}

const SHOWN_ONCE = 'This is the only time it is shown. We store no copy that could be shown again.'

/** A secret that the server shows once. It closes only by the button that says that the secret is stored. */
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
