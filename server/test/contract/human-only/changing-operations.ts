/**
 * Every operation of an app whose method is not GET, and why the operation neither invests, signs, nor approves for a
 * person. Think about a new operation before you add it.
 */
export const CHANGING_OPERATIONS: Readonly<Record<string, string>> = {
  updateCurrentUser: 'changes profile fields',
  followCompany: 'adds a follow, which can be removed',
  unfollowCompany: 'removes a follow',

  updateSyndicate: 'changes texts and settings',
  inviteSyndicateMember: 'invites a person, who answers in person',
  updateSyndicateMember: 'changes directory fields',
  removeSyndicateMember: 'is always rejected, because removing needs an intent',
  approveSyndicateMember: 'approves an application to join, without money; removing the member undoes it',
  declineSyndicateMember: 'declines an application, which the person may repeat',
  withdrawSyndicateInvite: 'withdraws an invitation before it was accepted',
  hideSyndicateMember: 'hides a member in the directory',
  restoreSyndicateMember: 'shows a member in the directory',
  promoteSyndicateMember: 'gives a permission, which demoting takes away',
  demoteSyndicateMember: 'takes a permission, which promoting gives back',
  resendSyndicateInvite: 'sends a mail',
  reorderSyndicateMembers: 'changes the order of a list',
  exportSyndicateMembersCsv: 'only reads',

  previewIntent: 'only reads',
  createIntent: 'proposes what a person approves',
  closeSyndicateDeal: 'proposes what a person approves',
  finalizeSyndicateDeal: 'proposes what a person approves',

  createReferralCode: 'creates a code for links',
  updateReferralCode: 'changes a name and a status',

  createInstallation: 'gives the app access that the user consented to',
  createInstallationToken: 'creates a token of an installation',
  revokeInstallation: 'ends access',
  revokeConnectedApp: 'ends access',

  createJoinSession: 'creates a page where a person applies',
  cancelJoinSession: 'ends a session',
  createJoinTheme: 'stores colours',
  updateJoinTheme: 'changes colours',

  createInvestmentSession: 'creates a page where a person invests',
  createInvestmentSessionOfOffering: 'creates a page where a person invests',
  cancelInvestmentSession: 'ends a session',
  createInviteLink: 'creates a link that a person follows',
  createInviteLinks: 'creates links that people follow',
  updateInviteLink: 'changes settings of a link',
  cancelInviteLink: 'ends a link',
  resendInviteLink: 'sends a mail',

  createWebhookEndpoint: 'stores an address of the partner',
  updateWebhookEndpoint: 'changes an address of the partner',
  deleteWebhookEndpoint: 'removes an address of the partner',
  rotateWebhookEndpointSecret: 'changes the secret of an endpoint',
  reenableWebhookEndpoint: 'enables an endpoint',
  testWebhookEndpoint: 'sends a delivery that is marked as a test',
  redeliverWebhookDelivery: 'sends a delivery again',
  replayWebhookDeliveries: 'sends deliveries again',
}
