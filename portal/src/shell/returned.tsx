import { useEffect } from 'react'
import { Page } from '../ui/page.tsx'
import { announceReturn } from './session.tsx'

/** The end of a confirmation in a tab of its own. */
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
