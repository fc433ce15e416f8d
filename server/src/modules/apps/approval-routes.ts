import { liveOperator } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { Exactly, One } from '#modules/organizations/http.ts'
import { AppRecord, showApp } from './app-record.ts'
import { approveApp, approvePii, unapproveApp } from './approvals.ts'
import { addPlatformScopes } from './platform-scopes.ts'
import { programAt } from './program.ts'
import { grantProgram } from './programs.ts'
import { AppParam, ProgramBody, ScopeList } from './schemas.ts'

const platform = { tag: 'Platform partners', alias: false, access: liveOperator() } as const

/** What the platform gives an app. Taking a program, a scope or the approval for PII away reaches what was issued. */
export const approvalRoutes: readonly Route[] = [
  route({
    ...platform,
    operation: 'approveApp',
    method: 'POST',
    path: '/platform/apps/:app_id/approve',
    summary: 'Approve an app',
    description: 'Approves an app, so that it can be used in the live world.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await approveApp(ptx, { app, actor: caller.operatorKeyId })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'unapproveApp',
    method: 'POST',
    path: '/platform/apps/:app_id/unapprove',
    summary: 'Unapprove an app',
    description: 'Takes back an app’s approval.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await unapproveApp(ptx, { app, actor: caller.operatorKeyId })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'approvePii',
    method: 'POST',
    path: '/platform/apps/:app_id/pii_approval',
    summary: 'Approve investor PII',
    description: 'Approves an app for investor PII. Existing installations do not gain the scope.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await approvePii(ptx, { app, actor: caller.operatorKeyId })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'grantProgram',
    method: 'POST',
    path: '/platform/apps/:app_id/programs',
    summary: 'Grant an access program',
    description: 'Admits an app to an access program and adds the program’s scopes to the app.',
    schema: { params: AppParam, body: ProgramBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { program, tier } }) => {
      await grantProgram(ptx, { app, actor: caller.operatorKeyId }, programAt(program, tier))
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...platform,
    operation: 'addPlatformScopes',
    method: 'POST',
    path: '/platform/apps/:app_id/scopes',
    summary: 'Add operator-only scopes',
    description: 'Adds scopes to an app that its team cannot select by itself.',
    schema: {
      params: AppParam,
      body: Exactly({ scopes: ScopeList }, 'ScopesToAdd'),
      response: { 200: One(AppRecord) },
    },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await addPlatformScopes(ptx, { app, actor: caller.operatorKeyId }, body.scopes)
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
]
