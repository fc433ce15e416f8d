import fc from 'fast-check'

/**
 * Vitest loads this file before each test file. Every run tries the properties on the same cases, so that a failure is
 * caused by a change of the code, never by chance. `PORTICO_TEST_SEED`, a number of at most nine digits, chooses other
 * cases.
 */
const DEFAULT_SEED = 20_261_116

const seedSetting = process.env['PORTICO_TEST_SEED'] ?? String(DEFAULT_SEED)
if (!/^\d{1,9}$/.test(seedSetting))
  throw new Error(`PORTICO_TEST_SEED=${seedSetting} is not a whole number of at most nine digits`)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seedSetting) })
