import { useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1_500

type CopyButtonProps = {
  readonly value: string
  /** The name of the button, which says what it copies: "Copy the app id". */
  readonly label: string
}

export function CopyButton({ value, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const waiting = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(waiting)
  }, [copied])
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true))
  return (
    <>
      <AriaButton className="copy" aria-label={label} onPress={copy}>
        <Icon name={copied ? 'check' : 'copy'} />
      </AriaButton>
      <span className="unseen" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** Shows an id, a URI or a command in one line, with a button that copies it. */
export function CopyText({ value, label }: CopyButtonProps) {
  return (
    <span className="copy-text">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  )
}
