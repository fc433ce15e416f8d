import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const endpointsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./endpoint-list.tsx'), 'EndpointListPage'),
})

const newRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks/new',
  component: lazyRouteComponent(() => import('./new-endpoint.tsx'), 'NewEndpointPage'),
})

const endpointRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks/$endpointId',
  component: lazyRouteComponent(() => import('./endpoint-page.tsx'), 'EndpointPage'),
})

const deliveriesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks/deliveries',
  validateSearch: filtersOf('status', 'event', 'endpoint', 'since', 'until', 'q', 'live'),
  component: lazyRouteComponent(() => import('./delivery-list.tsx'), 'DeliveryListPage'),
})

const deliveryRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'webhooks/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Webhooks', to: '/apps/$appId/webhooks', group: 'build', order: 40, icon: <Icon name="webhook" /> },
  ],
  appRoutes: [endpointsRoute, newRoute, endpointRoute, deliveriesRoute, deliveryRoute],
  commands: ({ app }) =>
    app === null
      ? []
      : [
          { label: 'Add a webhook endpoint', hint: 'Action', to: `/apps/${app.id}/webhooks/new`, words: 'create new' },
          { label: 'Webhook deliveries', hint: app.attributes.name, to: `/apps/${app.id}/webhooks/deliveries` },
        ],
  records: [
    { prefix: 'whe', label: 'Webhook endpoint', to: '/apps/$appId/webhooks/$id' },
    { prefix: 'dlv', label: 'Webhook delivery', to: '/apps/$appId/webhooks/deliveries/$id' },
  ],
}
