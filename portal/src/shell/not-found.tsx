import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

type NotFoundProps = { readonly to: string; readonly label: string }

export function NotFound({ to, label }: NotFoundProps) {
  return (
    <Page title="Not found">
      <EmptyState
        title="There is no such page"
        action={
          <LinkButton to={to} variant="primary">
            {label}
          </LinkButton>
        }
      >
        The address may be misspelled, or the page may have been deleted.
      </EmptyState>
    </Page>
  )
}
