import type { FactRules } from '@portico/server/intake/facts/index.ts'
import type { Databases } from '@portico/server/system/postgres/database.ts'
import { ensureAccounts, ensureOperatorKeys } from './accounts.ts'
import { applyDemo, type DemoPlan } from './apply-demo.ts'
import { ensureApps, ensureConnection } from './apps.ts'
import { type DemoFile, demoFile, demoFilePath, readDemoFile, writeDemoFile } from './demo-file.ts'

export type DemoParts = {
  readonly databases: Databases
  readonly rules: FactRules
  /** Milliseconds since 1970. The demo's dates lie before it, if this is the first time. */
  readonly nowMs: number
  /** For this very moment, if it was made already. */
  readonly plan?: DemoPlan | null
  /** The share of the facts that are applied, up to 1. */
  readonly onProgress?: (share: number) => void
}

export type Demo = {
  /** How many were applied: zero when the demo was there already. */
  readonly facts: number
  /** Once it is known where the service is reached: says so, and how to use the demo, in demo.json. */
  writeFile(where: { readonly baseUrl: string; readonly dataDirectory: string }): Promise<DemoFile>
}

/**
 * On the first start fills the test world; on every start sees to it that its people can sign in. Killed at any moment,
 * the next start completes it. Workers may run on the same database meanwhile. A rejected fact fails the start.
 */
export async function ensureDemoWorld({ databases, rules, ...options }: DemoParts): Promise<Demo> {
  const { world, applied } = await applyDemo(databases.test, rules, options)
  const partner = await ensureAccounts(databases, world)
  return {
    facts: applied,
    writeFile: async ({ baseUrl, dataDirectory }) => {
      const path = demoFilePath(dataDirectory)
      const before = await readDemoFile(path)
      const operator_keys = await ensureOperatorKeys(databases, before)
      const apps = await ensureApps(databases, partner, before)
      await ensureConnection(databases.test, apps, world.people)
      const file = demoFile(world, { base_url: baseUrl, operator_keys, apps })
      await writeDemoFile(path, file)
      return file
    },
  }
}
