import { useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** What the server asks of the person before it continues: sign in again, or confirm who they are. */
type Demand =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'confirm'; readonly url: string; readonly settle: (isConfirmed: boolean) => void }

const CHANNEL = 'portico-returned'
let demand: Demand | null = null
const readers = new Set<() => void>()

function demandNext(next: Demand | null): void {
  demand = next
  for (const notify of readers) notify()
}

/** The session has ended: nothing works until the person signs in. */
export function demandSignIn(): void {
  demandNext({ kind: 'sign-in' })
}

/** Resolves with true once the person has confirmed in another tab, so that nothing they typed here is lost. */
export function demandProof(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const settle = (isConfirmed: boolean) => {
      channel.close()
      demandNext(null)
      resolve(isConfirmed)
    }
    channel.onmessage = () => settle(true)
    demandNext({ kind: 'confirm', url, settle })
  })
}

/** Called in the other tab. */
export function announceReturn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('returned')
  channel.close()
}

const subscribe = (notify: () => void) => {
  readers.add(notify)
  return () => readers.delete(notify)
}

export function SessionDialogs() {
  const current = useSyncExternalStore(subscribe, () => demand)
  if (current === null) return null
  return current.kind === 'sign-in' ? <SignInDialog /> : <ConfirmIdentityDialog {...current} />
}

const signInAgain = () => {
  location.assign(`/sign-in?return_to=${encodeURIComponent(location.pathname + location.search + location.hash)}`)
}

function SignInDialog() {
  return (
    <Dialog
      title="Your session has ended"
      isOpen
      onClose={signInAgain}
      isDismissable={false}
      actions={
        <Button variant="primary" onPress={signInAgain}>
          Sign in again
        </Button>
      }
    >
      <p>Sign in again, and you come back to this page.</p>
    </Dialog>
  )
}

function ConfirmIdentityDialog({ url, settle }: Extract<Demand, { kind: 'confirm' }>) {
  const address = `${url}?return_to=${encodeURIComponent('/developers/returned')}`
  return (
    <Dialog
      title="Confirm who you are"
      isOpen
      onClose={() => settle(false)}
      isDismissable={false}
      actions={
        <>
          <Button onPress={() => settle(false)}>Cancel</Button>
          <Button variant="primary" onPress={() => void window.open(address, '_blank')}>
            Confirm in a new tab
          </Button>
        </>
      }
    >
      <p>
        Secrets and keys need a recent confirmation of your identity. It opens in a new tab; when you are done, this
        page continues by itself and nothing you entered is lost.
      </p>
    </Dialog>
  )
}
