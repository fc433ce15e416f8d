import { useSyncExternalStore } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Icon } from './icon.tsx'

type Toast = { readonly id: number; readonly text: string }

const SHOWN_MS = 6_000
let toasts: readonly Toast[] = []
let lastId = 0
const readers = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const notify of readers) notify()
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Shows the result of what the person just did. Use it for nothing else. */
export function showToast(text: string): void {
  lastId += 1
  const id = lastId
  change([...toasts, { id, text }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

const subscribe = (notify: () => void) => {
  readers.add(notify)
  return () => readers.delete(notify)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text }) => (
        <div key={id} className="toast">
          <span>{text}</span>
          <AriaButton className="copy" aria-label="Dismiss" onPress={() => dismiss(id)}>
            <Icon name="close" />
          </AriaButton>
        </div>
      ))}
    </div>
  )
}
