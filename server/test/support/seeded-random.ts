import fc from 'fast-check'

/**
 * Every property is tried on the same cases in every run, so that a failure is about the change and not about chance.
 * `PORTICO_TEST_SEED` chooses other cases: any integer. Loaded before each test file.
 */
const DEFAULT_SEED = 20_261_116

const seedSetting = process.env['PORTICO_TEST_SEED'] ?? String(DEFAULT_SEED)
if (!/^\d{1,9}$/.test(seedSetting))
  throw new Error(`PORTICO_TEST_SEED=${seedSetting} is not a whole number of at most nine digits`)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seedSetting) })
