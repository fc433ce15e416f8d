import fc from 'fast-check'

/**
 * Every property is tried on the same cases in every run, so that a run that fails says something about the change and not
 * about the day. `PORTICO_TEST_SEED` names other cases: any whole number. Loaded before each test file.
 */
const DEFAULT_SEED = 20_261_116

const asked = process.env['PORTICO_TEST_SEED'] ?? String(DEFAULT_SEED)
if (!/^\d{1,9}$/.test(asked)) throw new Error(`PORTICO_TEST_SEED=${asked} is not a whole number of at most nine digits`)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) })
