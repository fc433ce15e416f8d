import type { Command } from '../command.ts'
import { appCommands } from './apps.ts'
import { doctorCommand } from './doctor.ts'
import { endpointCommands } from './endpoints.ts'
import { eventCommands } from './events.ts'
import { importCommands } from './import.ts'
import { listenCommand } from './listen.ts'
import { loginCommands } from './login.ts'
import { logCommands } from './logs.ts'
import { operatorCommands } from './operator.ts'
import { sandboxCommands } from './sandbox.ts'
import { shellCommands } from './shell.ts'
import { syncCommands } from './sync.ts'
import { triggerCommand } from './trigger.ts'

/** Every command, in the order of the help. Register a new command here. */
export const COMMANDS: readonly Command[] = [
  listenCommand,
  triggerCommand,
  ...eventCommands,
  ...endpointCommands,
  ...logCommands,
  ...sandboxCommands,
  ...syncCommands,
  ...importCommands,
  ...operatorCommands,
  ...loginCommands,
  ...appCommands,
  doctorCommand,
  ...shellCommands(() => COMMANDS),
]
