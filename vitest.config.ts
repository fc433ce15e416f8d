import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    // Every file has a database of its own, and modules keep nothing between requests: loading all of them anew for
    // each file would take most of the time.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
