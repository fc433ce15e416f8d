import { scriptOptions } from '../../server/src/main/command-line.ts'
import { needPackages } from '../support/debian.ts'
import { openReceiver } from '../support/receiver.ts'
import { reportChecks } from '../support/report-checks.ts'
import { onMachine } from '../support/run.ts'
import { rotateSecrets } from './rotate.ts'

const HELP = `Usage: npm run ops:secrets

Rotates the sealing secret, the database's password and an operator key of an install with two API processes and a worker, one process
after the other, under load, and checks that no request failed and no delivery was lost (docs/operations.md). Needs Debian 12; as root it
installs the packages that are missing. Exit code 1 if something failed.

Examples:

  npm run ops:secrets
`
scriptOptions({}, HELP)

await onMachine('secrets', async (machine) => {
  await needPackages(['postgresql-15', 'haproxy'])
  const receiver = await openReceiver()
  machine.defer(() => receiver.close())
  return reportChecks('Rotation of secrets', await rotateSecrets(machine, receiver))
})
