import type { Standing } from '../installing/standing-store.ts'
import type { InstallerTier } from '../installing/tier-asked.ts'

/** As who somebody installs. */
export const TIER_NAMES: Readonly<Record<InstallerTier, string>> = {
  founder: 'a founder',
  admin: 'an admin',
  editor: 'an editor',
  manager: 'a manager',
}

/** What follows from it for the app. */
export const TIER_MEANS: Readonly<Record<InstallerTier, string>> = {
  founder: 'The app is installed with a founder’s tier, the highest there is.',
  admin:
    'The app is installed with an admin’s tier: it gets neither more than you have, nor what only founders can give.',
  editor: 'The app is installed with an editor’s tier: it can look, and cannot change anything.',
  manager: 'The app is installed with a manager’s tier: it sees what managers see, members’ email addresses included.',
}

/** Who can do this, for somebody who cannot, or who has to ask for it to be undone. */
export const WHO_CAN: Readonly<Record<Standing['type'], string>> = {
  company: 'any founder, admin or editor',
  syndicate: 'any manager',
}
