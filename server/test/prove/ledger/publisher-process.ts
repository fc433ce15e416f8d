import { inspect } from 'node:util'
import { openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from '#test/patient.ts'
import { seeded } from '../chance.ts'
import { meddledWith } from '../meddling.ts'
import { FAILED, type PublisherSettings } from './processes.ts'
import { isMishap, publishOnce } from './publishers.ts'

/** Publishes like a worker, only in smaller batches and more slowly, so that it is always in the middle of one. */
const { databaseUrl, version, seed }: PublisherSettings = JSON.parse(process.argv[2] ?? '')
const { test } = await openDatabases({ url: databaseUrl, poolSize: 2, times: PATIENT, onError: () => {} })
const chance = seeded(seed)
const slow = meddledWith(test, { before: () => chance.pause(4), beforeCommit: () => chance.pause(8) })
process.stdout.write('at work')
for (;;) {
  await publishOnce(slow, chance, version).catch((error: unknown) => {
    if (isMishap(error)) return
    process.stderr.write(inspect(error))
    process.exit(FAILED)
  })
  await chance.pause(10)
}
