import { type Cast, idOf, required, until } from './calls.ts'
import type { Recorder } from './recorder.ts'

/** Calls the operations that a member of an app's team uses in the portal, for the demo's app, which people use. */
export async function callAppTeam(recorder: Recorder, cast: Cast): Promise<void> {
  const { developer: as, demo } = cast
  const app = required(demo.apps[0])
  const at = { app_id: app.id }
  await recorder.call('readAppOverview', { as, path: at })
  await recorder.call('readAppLimitUse', { as, path: at })
  await recorder.call('readAppUsage', { as, path: at })
  await recorder.call('previewAppScopes', { as, path: at, body: { remove: ['read:investments'] } })
  await callTeamEndpoints(recorder, cast, at)
  const events = await recorder.call('listAppEvents', { as, path: at, query: { mode: 'test', per_page: 2 } })
  await recorder.call('getAppEvent', { as, path: { ...at, event_id: events.data?.[0]?.id ?? '' } })
  const codes = await recorder.call('listAppReferralCodes', { as, path: at, query: { mode: 'test' } })
  await recorder.call('getAppReferralStats', {
    as,
    path: { ...at, id: codes.data?.[0]?.id ?? '' },
    query: { mode: 'test' },
  })
  const requests = await until(async () => {
    const query = { method: 'PATCH', route: '/users/me', per_page: 1 }
    const found = await recorder.call('listAppRequests', { as, path: at, query })
    return found.data?.length > 0 ? found : undefined
  })
  const request = { ...at, request_id: requests?.data?.[0]?.id ?? '' }
  await recorder.call('getAppRequest', { as, path: request })
  await recorder.call('listAppRequestEvents', { as, path: request })
  const installed = await recorder.call('listAppInstallations', { as, path: at, query: { mode: 'test' } })
  const active = (installed.data as { id: string; status?: string }[]).find(({ status }) => status === 'active')
  const one = { ...at, id: required(active).id }
  await recorder.call('getAppInstallation', { as, path: one })
  await recorder.call('inspectAppSync', { as, path: one, query: { per_page: 1 } })
  const minted = { key_id: cast.client.client_id, scopes: ['read:investments', 'read:companies'] }
  await recorder.call('createAppInstallationToken', { as, path: one, body: minted })
  await recorder.call('portalSandboxRecords', { as, path: at })
  await recorder.call('portalSandboxUserVisit', {
    as,
    path: { ...at, id: demo.people.editor.id },
    body: { company: required(demo.ids['company']), ref: 'SPRING-26' },
  })
}

async function callTeamEndpoints(recorder: Recorder, cast: Cast, at: { app_id: string }): Promise<void> {
  const { developer: as, hookUrl, operator, ids } = cast
  const events = ['investment.created', 'investment.amount_changed', 'investment.changed']
  const body = { mode: 'test', url: hookUrl, events }
  const made = await recorder.call('createAppWebhookEndpoint', { as, path: at, body })
  const one = { ...at, endpoint_id: idOf(made) }
  await recorder.call('getAppWebhookEndpoint', { as, path: one })
  await recorder.call('testAppWebhookEndpoint', { as, path: one, body: { event: 'investment.created' } })
  const change = { path: { id: required(ids['investment']) }, body: { amount_cents: 500_000 } }
  await recorder.call('sandboxInvestmentChangeAmount', { as: operator, ...change })
  const delivered = await until(async () => {
    recorder.recorded.delete('listAppWebhookDeliveries')
    const query = { mode: 'test', endpoint_id: one.endpoint_id, per_page: 1 }
    const list = await recorder.call('listAppWebhookDeliveries', { as, path: at, query })
    return list.data?.[0]?.attributes?.status === 'delivered' ? list : undefined
  })
  await recorder.call('listAppWebhookEndpoints', { as, path: at, query: { mode: 'test', per_page: 2 } })
  const delivery = { ...at, delivery_id: delivered?.data?.[0]?.id ?? '' }
  await recorder.call('getAppWebhookDelivery', { as, path: delivery })
  await recorder.call('redeliverAppWebhookDelivery', { as, path: delivery })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const filter = { mode: 'test', status: 'exhausted', types: ['investment.*'], since, until: end }
  await recorder.call('redeliverAppWebhookDeliveries', { as, path: at, body: { filter } })
  await recorder.call('readAppDeliveryUsage', { as, path: at })
  await recorder.call('replayAppWebhookDeliveries', { as, path: one, body: { since, only_failed: true } })
  await recorder.call('rotateAppWebhookEndpointSecret', { as, path: one })
  await recorder.call('updateAppWebhookEndpoint', { as, path: one, body: { events: ['investment.created'] } })
  await recorder.call('reenableAppWebhookEndpoint', { as, path: one })
  await recorder.call('deleteAppWebhookEndpoint', { as, path: one })
}
