import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        title="There is no such page"
        action={
          <LinkButton to="/apps" variant="primary">
            Go to your apps
          </LinkButton>
        }
      >
        The address may be misspelled, or it leads to something that has been deleted.
      </EmptyState>
    </Page>
  )
}
