import { type Cast, idOf, required } from './calls.ts'
import { signIn } from './credentials.ts'
import type { Recorder } from './recorder.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAAOklEQVR42u3OMQEAAAgDoK1/aI3h4QMJaCY8qgQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEXgYXKgABT0G4nQAAAABJRU5ErkJggg=='

/** Calls the partner portal as a developer who creates an app, and the platform's operations on apps and accounts. */
export async function callPortal(recorder: Recorder, cast: Cast): Promise<void> {
  const { developer: as, liveOperator } = cast
  await recorder.call('readSignedInPerson', { as })
  await recorder.call('listOwnOrganizations', { as })
  const organization = { organization_id: required(cast.demo.apps[0]).organization_id }
  await recorder.call('readOwnOrganization', { as, path: organization })
  const made = await recorder.call('createOrganization', { as, body: { name: 'Quayside Tools' } })
  const own = { organization_id: idOf(made) }
  await recorder.call('renameOrganization', { as, path: own, body: { name: 'Quayside Software' } })
  await callTeam(recorder, cast, own)
  const conditions = await recorder.call('readUsageConditions', { as })
  const accepted = /"(?:version|id)":"([^"]+)"/.exec(JSON.stringify(conditions))?.[1] ?? ''
  await recorder.call('listPickerScopes', { as })
  const app = { ...own, name: 'Quayside Ledger', scopes: ['read:investments'], accepted_conditions: accepted }
  const at = { app_id: idOf(await recorder.call('createApp', { as, body: app })) }
  await recorder.call('acceptUsageConditions', { as, path: at, body: { accepted_conditions: accepted } })
  await recorder.call('listOwnApps', { as, query: own })
  await recorder.call('readOwnApp', { as, path: at })
  await recorder.call('updateApp', { as, path: at, body: { description: 'Books investments into the ledger.' } })
  await recorder.call('addAppScopes', { as, path: at, body: { scopes: ['read:profile'] } })
  await recorder.call('removeAppScopes', { as, path: at, body: { scopes: ['read:profile'] } })
  await recorder.call('changeAppLogo', { as, path: at, body: { media_type: 'image/png', data: PIXEL } })
  await recorder.call('removeAppLogo', { as, path: at })
  await callKeys(recorder, cast, at)
  await recorder.call('requestPiiApproval', { as, path: at })
  await recorder.call('requestProgram', { as, path: at, body: { program: 'founder' } })
  await recorder.call('requestAppApproval', { as, path: at })
  await recorder.call('readAppLimits', { as, path: at })
  await recorder.call('createSandboxCompany', { as, path: at })
  await recorder.call('disableApp', { as, path: at })
  await recorder.call('enableApp', { as, path: at })
  await callPlatformApps(recorder, liveOperator, at)
  await recorder.call('listAppHistory', { as, path: at, query: { per_page: 2 } })
  await recorder.call('listNotices', { as, path: organization, query: { per_page: 2 } })
  const draft = await recorder.call('createApp', { as, body: { ...app, name: 'Quayside Draft' } })
  await recorder.call('deleteApp', { as, path: { app_id: idOf(draft) }, body: { name: 'Quayside Draft' } })
  await recorder.call('listOrganizations', { as: liveOperator, query: { per_page: 2 } })
  await recorder.call('readOrganization', { as: liveOperator, path: own })
  await recorder.call('readOrganizationHistory', { as: liveOperator, path: own, query: { per_page: 2 } })
  await recorder.call('previewOrganizationEnd', { as: liveOperator, path: own })
  const health = await recorder.call('listEndpointHealth', { as: cast.operator, query: { per_page: 1 } })
  const endpoint = required((health.data as { id: string }[])[0])
  await recorder.call('listEndpointHealth', { as: cast.operator, query: { endpoint_id: endpoint.id, per_page: 1 } })
  const sent = { as: cast.operator, path: { id: endpoint.id }, query: { per_page: 1 } }
  await recorder.call('listEndpointDeliveriesByOperator', sent)
  await recorder.call('readSandboxClockByOperator', { as: cast.operator })
  await callOperations(recorder, cast)
  const reason = { reason: 'The company was dissolved.' }
  await recorder.call('endOrganization', { as: liveOperator, path: own, body: reason })
  await callAccounts(recorder, cast)
}

/** Calls operations of the platform's staff: queues, figures, conditions, installations and removal duties. */
async function callOperations(recorder: Recorder, { operator, liveOperator, developer: as }: Cast): Promise<void> {
  // Two entries of a long list are enough for an example.
  const queues = await recorder.call('listQueues', { as: liveOperator })
  ;(queues.data as unknown[]).splice(2)
  const jobs = await recorder.call('listJobs', { as: liveOperator })
  ;(jobs.data as unknown[]).splice(2)
  const series = await recorder.call('readPlatformSeries', { as: operator, query: { unit: 'day' } })
  ;(series.data as unknown as { attributes: { points: unknown[] } }).attributes.points.splice(0, 88)
  await recorder.call('exportPlatformList', { as: liveOperator, path: { list: 'partners' } })
  const installed = await recorder.call('listInstallationsByOperator', { as: operator, query: { per_page: 1 } })
  const { target } = required((installed.data as { target: { id: string } }[])[0])
  await recorder.call('listInstallationsByOperator', { as: operator, query: { target_id: target.id, per_page: 1 } })
  const duties = await recorder.call('listRemovalDuties', { as: operator, query: { per_page: 1 } })
  const duty = required((duties.data as { id: string; attributes: { app: { id: string } } }[])[0])
  const at = { app_id: duty.attributes.app.id }
  await recorder.call('listAppRemovalDuties', { as, path: at, query: { mode: 'test', per_page: 1 } })
  await recorder.call('confirmAppRemovalDuty', { as, path: { ...at, duty_id: duty.id } })
  await recorder.call('confirmRemovalDuty', { as: operator, path: { duty_id: duty.id } })
  const accepted = await recorder.call('listConditionsAcceptances', { as: liveOperator, query: { per_page: 1 } })
  const first = required((accepted.data as { attributes: { version: string; account_id: string } }[])[0])
  const { version, account_id } = first.attributes
  const filter = { version, account_id, outdated: false, per_page: 1 }
  await recorder.call('listConditionsAcceptances', { as: liveOperator, query: filter })
  const text =
    'These conditions of {platform} apply to every app.\n\n## What is allowed\n\nShow people what they granted, and nobody else.'
  await recorder.call('publishUsageConditions', { as: liveOperator, body: { version: '2027-01-01', text } })
  await recorder.call('listUsageConditions', { as: liveOperator })
}

async function callTeam(recorder: Recorder, cast: Cast, at: { organization_id: string }): Promise<void> {
  const { developer: as, demo } = cast
  const invite = (email: string) => recorder.call('inviteMember', { as, path: at, body: { email, role: 'developer' } })
  await invite(demo.people.editor.email)
  await recorder.call('listInvitations', { as, path: at })
  const editor = await signIn(demo.base_url, demo.people.editor)
  await recorder.call('declineInvitation', { as: editor, path: at })
  await invite(demo.people.editor.email)
  await recorder.call('acceptInvitation', { as: editor, path: at })
  const team = await recorder.call('listMembers', { as, path: at })
  const rows = team.data as { id: string; attributes?: { email?: string }; email?: string }[]
  const joined = rows.find((row) => (row.attributes?.email ?? row.email) === demo.people.editor.email)
  const member = { ...at, account_id: required(joined).id }
  await recorder.call('changeMemberRole', { as, path: member, body: { role: 'admin' } })
  await recorder.call('removeMember', { as, path: member })
  const spare = await invite('kim@example.com')
  await recorder.call('withdrawInvitation', { as, path: { ...at, invitation_id: idOf(spare) } })
}

async function callKeys(recorder: Recorder, { developer: as }: Cast, at: { app_id: string }): Promise<void> {
  const redirect_uris = ['https://ledger.example.com/callback']
  const body = { mode: 'test', name: 'Server', client_type: 'confidential', redirect_uris }
  const key = await recorder.call('createAppKey', { as, path: at, body })
  const one = { ...at, key_id: idOf(key) }
  await recorder.call('listAppKeys', { as, path: at })
  await recorder.call('updateAppKey', { as, path: one, body: { name: 'Web server' } })
  await recorder.call('rotateAppSecret', { as, path: one, body: { overlap_seconds: 3600 } })
  await recorder.call('revokeAppKey', { as, path: one })
}

async function callPlatformApps(recorder: Recorder, as: string, at: { app_id: string }): Promise<void> {
  await recorder.call('listApps', { as, query: { per_page: 2 } })
  await recorder.call('readApp', { as, path: at })
  await recorder.call('approveApp', { as, path: at })
  await recorder.call('listPartnerRequests', { as, query: { per_page: 2 } })
  const declined = { kind: 'program', program: 'founder', reason: 'Tell us first how you delete the names.' }
  await recorder.call('declineAppRequest', { as, path: at, body: declined })
  await recorder.call('searchPartners', { as, query: { query: 'quayside' } })
  await recorder.call('searchPartnersOfMember', { as, query: { email: '@portico.example', per_page: 1 } })
  await recorder.call('approvePii', { as, path: at })
  await recorder.call('withdrawPii', { as, path: at })
  await recorder.call('grantProgram', { as, path: at, body: { program: 'founder' } })
  await recorder.call('withdrawAppProgram', { as, path: { ...at, program: 'founder' } })
  await recorder.call('addPlatformScopes', { as, path: at, body: { scopes: ['read:files'] } })
  await recorder.call('removeAppScopesByOperator', { as, path: at, body: { scopes: ['read:files'] } })
  await recorder.call('previewAppStop', { as, path: at })
  await recorder.call('suspendApp', { as, path: at, body: { reason: 'It asked for passwords.' } })
  await recorder.call('liftSuspension', { as, path: at })
  await recorder.call('unapproveApp', { as, path: at })
  await recorder.call('readAppHistory', { as, path: at, query: { per_page: 2 } })
}

async function callAccounts(recorder: Recorder, cast: Cast): Promise<void> {
  const { liveOperator: as, operator } = cast
  const account = { email: 'tove@example.com', name: 'Tove Berg', password: 'lantern over a quiet harbour' }
  const at = { id: idOf(await recorder.call('createAccount', { as, body: account })) }
  await recorder.call('getAccount', { as, path: at })
  const fact = {
    id: 'user-tove-1',
    type: 'user.registered',
    occurred_at: new Date().toISOString(),
    data: { id: `usr_${'Tove'.padEnd(24, '0')}`, name: 'Tove Berg', email: 'tove@example.com' },
  }
  await recorder.call('applyFacts', { as: operator, body: [fact] })
  await recorder.call('getFact', { as: operator, path: { id: fact.id } })
  await recorder.call('listFacts', { as: operator, query: { type: 'user.registered', per_page: 1 } })
  await recorder.call('listFacts', { as: operator, query: { fact_id: fact.id } })
  const ofInvestment = { subject: required(cast.demo.ids['investment']), since: fact.occurred_at }
  await recorder.call('listFacts', { as: operator, query: ofInvestment })
  const wrong = { ...fact, id: 'user-tove-2', type: 'user.updated', data: { id: fact.data.id, name: '' } }
  await recorder.call('applyFacts', { as: operator, body: [wrong] })
  const found = await recorder.call('listRefusedFacts', { as: operator, query: { fact_id: wrong.id } })
  await recorder.call('listRefusedFacts', { as: operator, query: { subject: fact.data.id, type: wrong.type } })
  const refused = { refused_id: required((found.data as { id: string }[])[0]).id }
  await recorder.call('getRefusedFact', { as: operator, path: refused })
  const mended = { fact: { ...wrong, data: { ...wrong.data, name: 'Tove Berg-Holm' } } }
  await recorder.call('sendRefusedFact', { as: operator, path: refused, body: mended })
  await recorder.call('applyFacts', { as: operator, body: [{ ...wrong, id: fact.id }] })
  const reused = await recorder.call('listRefusedFacts', { as: operator, query: { fact_id: fact.id } })
  const dismissed = { refused_id: required((reused.data as { id: string }[])[0]).id }
  await recorder.call('dismissRefusedFact', { as: operator, path: dismissed })
  await recorder.call('listRefusedFacts', { as: operator, query: { dismissed: true } })
  await recorder.call('linkAccountUser', { as, path: { ...at, mode: 'test' }, body: { user: fact.data.id } })
  await recorder.call('listAccounts', { as, query: { per_page: 1 } })
  await recorder.call('setAccountPassword', { as, path: at, body: { password: 'a longer staple battery' } })
  await recorder.call('issuePasswordLink', { as, path: at })
  await recorder.call('issueSignInLink', { as, path: at })
  await recorder.call('resetAccountFactors', { as, path: at })
  await recorder.call('unlockAccount', { as, path: at })
  await recorder.call('inviteToPlatform', { as, body: { email: 'ines@example.com' } })
  await signIn(cast.demo.base_url, { id: at.id, email: account.email, password: 'a longer staple battery' })
  const sessions = await recorder.call('listAccountSessions', { as, path: at })
  const session = required((sessions.data as { id: string }[])[0]).id
  await recorder.call('endAccountSession', { as, path: { ...at, session_id: session } })
  await recorder.call('endAccountSessions', { as, path: at })
  const audit = await recorder.call('listAudit', { as, query: { subject: at.id, per_page: 2 } })
  const { id: entry, attributes } = required(
    (audit.data as { id: string; attributes: { actor: { id: string }; action: string } }[])[0],
  )
  const { actor, action } = attributes
  await recorder.call('listAudit', { as, query: { entry } })
  await recorder.call('listAudit', { as, query: { actor: actor.id, action, by_operator: true, reads: false } })
  const { end } = (await recorder.call('verifyAudit', { as })).data.attributes
  await recorder.call('verifyAudit', { as, query: { end } })
  await recorder.call('readOperator', { as })
  await recorder.call('setStaffRole', { as, path: at, body: { role: 'support' } })
  await recorder.call('listStaff', { as })
  await recorder.call('revokeStaffRole', { as, path: at })
  await recorder.call('disableAccount', { as, path: at })
  await recorder.call('enableAccount', { as, path: at })
}
