import type { Standing } from '../installing/store.ts'
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
  founder: 'So the app gets the founder tier, the highest: nothing is held back because of your role.',
  admin: 'So the app gets the admin tier: all but what only a founder can give.',
  editor: 'So the app gets the editor tier: it can look, and cannot change anything.',
  manager: 'So the app gets the manager tier: it sees what managers see, members’ email addresses included.',
}

/** Who can undo it, as the beginning of a sentence. */
export const WHO_CAN: Readonly<Record<Standing['type'], string>> = {
  company: 'Any founder, admin or editor',
  syndicate: 'Any manager',
}
