import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binariesOfPackage, startEmbeddedPostgres } from '@portico/embedded-postgres'
import type { TestProject } from 'vitest/node'
import { migrationsDirectory } from '#main/database-server.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { describeApi } from '#main/routes.ts'
import { SETTINGS } from '#main/settings.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { forgetFailedFiles } from '../../../scripts/failed-files.ts'
import { answersIn, undocumentedAnswers } from './answered-statuses.ts'
import { TEMPLATE_DATABASE } from './database.ts'
import { endSharedService } from './shared-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The directory that all processes of the run share (made-once.ts). It is removed at the end of the run. */
    sharedDirectory: string
  }
}

/**
 * Starts one PostgreSQL for the whole run. It runs without fsync and has one migrated template that each test file
 * clones.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-test-'))
  // If root starts the tests, PostgreSQL runs as an ordinary user, who must be able to enter the directory.
  await chmod(directory, 0o755)
  const sharedDirectory = join(directory, 'shared')
  await mkdir(sharedDirectory, { mode: 0o755 })
  // All processes of the run share one compile cache. This cuts the processor time of loading the service by a third.
  process.env['NODE_COMPILE_CACHE'] = join(sharedDirectory, 'compiled')
  const log = () => {}
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'postgres'),
    database: TEMPLATE_DATABASE,
    durable: false,
    settings: {
      // Autovacuum can run at any time. It changes statistics and plans, and takes unexpected locks. A test that needs
      // statistics runs `analyze` itself.
      autovacuum: 'off',
      // Connections are new here and run each statement only a few times, and planning a statement takes longer than
      // running it. So each statement is planned only once per connection.
      plan_cache_mode: 'force_generic_plan',
      // All running test files share this server, and one proof alone has dozens of connections.
      max_connections: '500',
    },
    log,
    ...otherBinaries(),
  })
  await migrate({ url: postgres.url, migrations: await readMigrations(migrationsDirectory), log })
  project.provide('postgresUrl', postgres.url)
  project.provide('sharedDirectory', sharedDirectory)
  return async () => {
    await endSharedService(sharedDirectory)
    await postgres.stop()
    const undocumented = await undocumentedAnswers(answersIn(sharedDirectory), documentedStatuses())
    // The removal is retried, because a process that is ending may still write its compile cache.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    if (undocumented.length > 0) {
      forgetFailedFiles()
      throw new Error(`statuses of responses that the OpenAPI document does not list:\n${undocumented.join('\n')}`)
    }
  }
}

/** Returns the statuses that the OpenAPI document lists for each route. */
function documentedStatuses() {
  const routes = describedRoutes()
  const { paths } = describeApi(routes, { brand: SETTINGS.brand.default, baseUrl: 'https://api.example' })
  const statuses = new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId, responses }) => [operationId, new Set(Object.keys(responses))]),
  )
  return routes.flatMap(({ operation, path }) => {
    const documented = statuses.get(operation)
    return documented === undefined ? [] : [{ operation, path, statuses: documented }]
  })
}

/** `npm run test:pg15` proves that the oldest PostgreSQL version we support still works. */
function otherBinaries() {
  const version = process.env['PORTICO_TEST_POSTGRES']
  return version === undefined ? {} : { binaries: binariesOfPackage(`embedded-postgres-${version}-linux-x64`) }
}
