import { inspect } from 'node:util'
import { openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from '#test/patient.ts'
import { withFaults } from '../fault-injection.ts'
import { seeded } from '../random.ts'
import { FAILED, type PublisherSettings } from './processes.ts'
import { isMishap, publishOnce } from './publishers.ts'

/** Publishes like a worker, but in smaller batches and more slowly, so that it is always in the middle of a batch. */
const { databaseUrl, version, seed }: PublisherSettings = JSON.parse(process.argv[2] ?? '')
const { test } = await openDatabases({ url: databaseUrl, poolSize: 2, times: PATIENT, onError: () => {} })
const random = seeded(seed)
const slow = withFaults(test, { before: () => random.pause(4), beforeCommit: () => random.pause(8) })
process.stdout.write('at work')
for (;;) {
  await publishOnce(slow, random, version).catch((error: unknown) => {
    if (isMishap(error)) return
    process.stderr.write(inspect(error))
    process.exit(FAILED)
  })
  await random.pause(10)
}
