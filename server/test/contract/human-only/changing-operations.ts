/**
 * Every operation by which an app changes something, with the reason why it neither invests nor signs, and approves nothing
 * that only a person may approve. Add a new operation only after thinking about it.
 */
export const CHANGING_OPERATIONS: Readonly<Record<string, string>> = {
  updateCurrentUser: 'profile fields',
  followCompany: 'a follow, taken back at will',
  unfollowCompany: 'the same',

  updateSyndicate: 'texts and settings',
  inviteSyndicateMember: 'invites a person, who answers in person',
  updateSyndicateMember: 'directory fields',
  removeSyndicateMember: 'refused: an intent',
  approveSyndicateMember: 'an application to join, undone by removing the member; no money',
  declineSyndicateMember: 'an application to join, which the person may repeat',
  withdrawSyndicateInvite: 'an invitation, taken back before it was accepted',
  hideSyndicateMember: 'directory',
  restoreSyndicateMember: 'directory',
  promoteSyndicateMember: 'a permission, undone by demoting',
  demoteSyndicateMember: 'a permission, undone by promoting',
  resendSyndicateInvite: 'a mail',
  reorderSyndicateMembers: 'an order',
  exportSyndicateMembersCsv: 'a read',

  previewIntent: 'a read',
  createIntent: 'proposes; a person approves',
  closeSyndicateDeal: 'proposes; a person approves',
  finalizeSyndicateDeal: 'proposes; a person approves',

  createReferralCode: 'a word in links',
  updateReferralCode: 'its label',

  createInstallation: 'the app’s own access, which the user consented to',
  createInstallationToken: 'a token of it',
  revokeInstallation: 'ends access',
  revokeConnectedApp: 'ends access',

  createJoinSession: 'a page where a person applies in person',
  cancelJoinSession: 'ends it',
  createJoinTheme: 'colours',
  updateJoinTheme: 'colours',

  createInvestmentSession: 'a page where a person invests in person',
  createInvestmentSessionOfOffering: 'the same',
  cancelInvestmentSession: 'ends it',
  createInviteLink: 'a link that a person follows',
  createInviteLinks: 'the same',
  updateInviteLink: 'its settings',
  cancelInviteLink: 'ends it',
  resendInviteLink: 'a mail',

  createWebhookEndpoint: 'an address of the partner’s',
  updateWebhookEndpoint: 'the same',
  deleteWebhookEndpoint: 'the same',
  rotateWebhookEndpointSecret: 'the same',
  reenableWebhookEndpoint: 'the same',
  testWebhookEndpoint: 'a delivery that is marked as a test',
  redeliverWebhookDelivery: 'a delivery again',
  replayWebhookDeliveries: 'deliveries again',
}
