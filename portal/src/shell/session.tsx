import { useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** What the server asks of the person before they can continue: to sign in again, or to confirm who they are. */
type Demand =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'confirm'; readonly url: string; readonly settle: (isConfirmed: boolean) => void }

const CHANNEL = 'portico-returned'
let demand: Demand | null = null
const readers = new Set<() => void>()

function setDemand(next: Demand | null): void {
  demand = next
  for (const notify of readers) notify()
}

/** Called when the session has ended. Nothing works until the person signs in. */
export function demandSignIn(): void {
  setDemand({ kind: 'sign-in' })
}

/** Resolves to true once the person has confirmed in another tab, and to false if they cancel. This tab keeps their input. */
export function demandProof(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const settle = (isConfirmed: boolean) => {
      channel.close()
      setDemand(null)
      resolve(isConfirmed)
    }
    channel.onmessage = () => settle(true)
    setDemand({ kind: 'confirm', url, settle })
  })
}

/** Called in the tab of the confirmation when the person has confirmed. */
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
      <p>Sign in again. You then return to this page.</p>
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
        This action needs a recent confirmation of your identity. The confirmation opens in a new tab. When you are
        done, this page continues by itself and keeps what you entered.
      </p>
    </Dialog>
  )
}
