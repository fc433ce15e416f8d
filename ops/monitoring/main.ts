import { scriptOptions } from '../../server/src/main/command-line.ts'
import { needPackages } from '../support/debian.ts'
import { openReceiver } from '../support/receiver.ts'
import { reportChecks } from '../support/report-checks.ts'
import { onMachine } from '../support/run.ts'
import { watchService } from './watch-service.ts'

const HELP = `Usage: npm run ops:monitoring

Runs the unit tests of the alert rules, and lets a Prometheus scrape a running service: each rule and each expression
of the dashboard must evaluate, no alert may be pending or firing while the service is well, and PorticoDown must be
pending or firing after the service is killed (docs/operations.md#monitor). Needs Debian 12; as root it installs the
packages that are missing. Exit code 1 if something failed.

Examples:

  npm run ops:monitoring
`
scriptOptions({}, HELP)

await onMachine('monitoring', async (machine) => {
  await needPackages(['postgresql-15', 'redis-server', 'prometheus'])
  const receiver = await openReceiver()
  machine.defer(() => receiver.close())
  return reportChecks('Alert rules and dashboard', await watchService(machine, receiver))
})
