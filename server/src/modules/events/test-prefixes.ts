import { ID_PREFIX } from '#kernel/ids.ts'

/** "Detect tests by installation.test true or the evt_test_ prefix, never by mode." */
export const TEST_EVENT_PREFIX = `${ID_PREFIX.event}test_`
export const TEST_INSTALLATION_PREFIX = `${ID_PREFIX.installation}test_`
