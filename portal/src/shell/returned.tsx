import { useEffect } from 'react'
import { Page } from '../ui/page.tsx'
import { announceReturn } from './session.tsx'

/** The last page of a confirmation in a new tab. It reports the confirmation to the tab that waits for it, and closes its own tab. */
export function ReturnedPage() {
  useEffect(() => {
    announceReturn()
    window.close()
  }, [])
  return (
    <Page title="Thank you">
      <p>The other tab continues by itself. You can close this one.</p>
    </Page>
  )
}
