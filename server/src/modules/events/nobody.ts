/**
 * What an event's `data` says where `identity` says who somebody is. Erasing the identity leaves data that is whole
 * and names nobody; so does writing an event about somebody who was deactivated before.
 */
export const NOBODY = { name: '[deleted user]', email: '' } as const
