/**
 * A gate in front of an app's row, for the sake of turns. Whoever issues locks the row `for share`, and PostgreSQL lets
 * one more share a row that is shared already, past somebody who waits to change it: an app that never stops asking for
 * tokens could not be suspended (tried: a change waited 30 s in vain behind 40 issuers). An advisory lock is given in the
 * order of asking, so who comes to issue after a change has begun to wait waits behind it.
 *
 * Everybody takes the gate first and the row next; it opens by itself at the end of the transaction.
 */
const SEED = 15

/** For who issues: together with everybody else who does. */
export const enterGate = (app: string) => `pg_advisory_xact_lock_shared(hashtextextended(${app}, ${SEED}))`

/** The same for who will not wait: false while somebody changes the app, or waits to. */
export const tryGate = (app: string) => `pg_try_advisory_xact_lock_shared(hashtextextended(${app}, ${SEED}))`

/** For who changes the app: alone. */
export const closeGate = (app: string) => `pg_advisory_xact_lock(hashtextextended(${app}, ${SEED}))`
