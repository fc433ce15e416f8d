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
    summary: 'Take an app’s approval back',
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
    summary: 'Approve an app for investor PII; what is installed already does not gain it',
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
    summary: 'Let an app into an access program, which puts the program’s scopes on it',
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
    summary: 'Add scopes that an app’s team cannot select',
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
