import { heldBy, inSandbox } from '#http/access.ts'

/**
 * Who may make things happen: the operator's test key, and every test token of an app. The specification names no scope
 * for this, so none is asked for: what one moves here is nobody's. A publishable key is seen by everybody and moves
 * nothing. In the live world facts come in through the feed and nowhere else.
 */
export const SANDBOX_ACCESS = inSandbox(heldBy(['operator', 'client', 'user', 'installation']))
