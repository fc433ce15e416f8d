import { readFile } from 'node:fs/promises'

/**
 * Parts of the service outside of the partner API. Client libraries do not call them, and API versions do not change
 * them.
 */
const OTHER_APIS: Readonly<Record<string, string>> = {
  '/platform/': 'the host platform’s own side, called with an operator key',
  '/portal/api/': 'the developer portal’s backend, called from a signed-in browser',
}

/** Operations that a client library does not call, each with the reason. */
export const NOT_FOR_CLIENTS: Readonly<Record<string, string>> = {
  ...because('an HTML page, or the form on it', [
    ...['showCompanyPage', 'showSandboxCompanyPage', 'showIntentReview', 'decideIntentReview', 'authorize'],
    ...['decideConsent', 'showConnectedApps', 'showDisconnect', 'disconnectApp', 'showRemove', 'removeInstalledApp'],
    ...['showInstall', 'decideInstall', 'showJoin', 'decideJoin', 'showJoinForm', 'showInvestmentSession'],
    ...['decideInvestmentSession', 'showInvitation', 'decideInvitation', 'showSignIn', 'signIn', 'signOut'],
    ...['showTeamInvitation', 'answerTeamInvitation', 'signUpByTeamInvitation'],
    ...['showSyndicateInvitation', 'answerSyndicateInvitation'],
    ...['showSignUp', 'signUp', 'showSignUpLink', 'useSignUpLink', 'showForgotPassword', 'requestPasswordReset'],
    ...[
      'showOwnPassword',
      'changeOwnPassword',
      'showOwnEmail',
      'requestEmailChange',
      'showEmailChange',
      'confirmEmailChange',
    ],
    ...['showAccountLink', 'useAccountLink', 'startOpenIdSignIn', 'finishOpenIdSignIn', 'showOpenIdLink'],
    ...['showProfileSettings', 'changeOwnName', 'showOwnOrganizations', 'createOrganizationInBrowser'],
    ...['acceptInvitationInBrowser', 'declineInvitationInBrowser', 'showOwnOrganization', 'inviteMemberInBrowser'],
    ...['renameOrganizationInBrowser', 'withdrawInvitationInBrowser', 'changeMemberRoleInBrowser'],
    ...['removeMemberInBrowser', 'showNewApp', 'createAppInBrowser', 'showOwnApp', 'createAppKeyInBrowser'],
    ...['rotateSecretInBrowser', 'revokeKeyInBrowser', 'deleteAppInBrowser', 'showOwnData', 'showAccountDeletion'],
    ...['deleteOwnAccount', 'exportOwnData', 'returnToKeys', 'returnToRotation', 'returnToAppDeletion'],
    'returnToExport',
    ...['linkOpenIdIdentity', 'showUsageConditions', 'showUsageConditionsVersion', 'readReference'],
    ...['findReference', 'readReferenceTopic', 'readReferenceSchema', 'readChangelog', 'readGuides', 'readGuide'],
    ...['readGuideListMarkdown', 'readGuideMarkdown', 'readLlms', 'readLlmsFull'],
    ...[
      'signInWithPasskey',
      'showSecondStep',
      'finishSecondStep',
      'showConfirm',
      'keepForm',
      'confirm',
      'showSecurity',
    ],
    ...['showAuthenticatorSetUp', 'setUpAuthenticator', 'showAuthenticatorRemoval', 'removeAuthenticator'],
    ...['showRecoveryCodes', 'renewRecoveryCodes', 'showNewPasskey', 'addPasskey', 'showPasskeyDeletion'],
    ...['deletePasskey', 'endSession', 'endOtherSessions', 'showIdentityLink', 'linkIdentity'],
    ...['showCommandLine', 'decideCommandLine', 'showCommandLineConfirmation', 'confirmCommandLine'],
    ...[
      'showPortal',
      'showPortalPage',
      'showConsole',
      'showConsolePage',
      'showFrontDoor',
      'showStatus',
      'showSentMails',
      'showSentMail',
      'showSentMailBody',
    ],
  ]),
  ...because('a picture, a style sheet or a script of a page', [
    ...[
      'readAppLogo',
      'readCompanyLogo',
      'readPageStyle',
      'readJoinFormStyle',
      'readReferenceStyle',
      'readGuideStyle',
      'readGuideScript',
    ],
    ...[
      'readReferenceScript',
      'readFavicon',
      'readDefaultFavicon',
      'readPasskeyScript',
      'readShownOnceScript',
      'readSearchScript',
    ],
    ...['readPortalScript', 'readPortalStyle', 'readConsoleScript'],
  ]),
  ...because('for the supervisor of the process, without a version', [
    ...['getHealth', 'getReadiness', 'getMetrics', 'getStatus'],
  ]),
  ...because('a response that does not end, the same in every version', ['streamEvents']),
  ...because('the operator’s part in the sandbox, the same in every version', ['sandboxInstallationCreate']),
  ...because('the description of the API, which a linter or another program reads', [
    ...['readOpenApi', 'readOpenApiYaml', 'readPostmanCollection', 'readScopeList', 'readEventList'],
    ...['readReferenceMarkdown', 'readReferenceTopicMarkdown', 'readReferenceSchemaMarkdown'],
    ...['readChangelogMarkdown', 'readChangelogFeed'],
  ]),
}

function because(reason: string, operations: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(operations.map((operation) => [operation, reason]))
}

type Route = { readonly path: string; readonly operation: string }

/**
 * Reads every route of the service from docs/routes.md, which is generated from the route table. `npm run check`
 * compares the two.
 */
export async function allRoutes(): Promise<readonly Route[]> {
  const listed = await readFile(new URL('../../../../docs/routes.md', import.meta.url), 'utf8')
  return [...listed.matchAll(/^\| [A-Z]+ \| `([^`]+)` \| (\w+) \|/gm)].map(([, path = '', operation = '']) => ({
    path,
    operation,
  }))
}

/** Returns the operations of the OpenAPI document, which lists every operation that a client may call. */
export async function documentedOperations(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId?: string }>> }
  return Object.entries(paths)
    .filter(([path]) => !isOtherApi(path))
    .flatMap(([, methods]) => Object.values(methods).flatMap(({ operationId = [] }) => operationId))
}

export const isOtherApi = (path: string): boolean => Object.keys(OTHER_APIS).some((prefix) => path.startsWith(prefix))
