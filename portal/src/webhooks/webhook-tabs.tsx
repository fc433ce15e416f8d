import { Link } from '@tanstack/react-router'

/** Links to the two lists of the section. */
export function WebhookTabs({ appId }: { readonly appId: string }) {
  return (
    <nav className="tabs" aria-label="Webhooks">
      <Link to={`/apps/${appId}/webhooks`} activeOptions={{ exact: true, includeSearch: false }}>
        Endpoints
      </Link>
      <Link to={`/apps/${appId}/webhooks/deliveries`} activeOptions={{ exact: true, includeSearch: false }}>
        Deliveries
      </Link>
    </nav>
  )
}
