import type { Command } from '../command.ts'
import { endpointCommands } from './endpoints.ts'
import { eventCommands } from './events.ts'
import { listenCommand } from './listen.ts'
import { sandboxCommands } from './sandbox.ts'
import { triggerCommand } from './trigger.ts'

/** Every command, in the order of the help. A command is registered here by its file. */
export const COMMANDS: readonly Command[] = [
  listenCommand,
  triggerCommand,
  ...eventCommands,
  ...endpointCommands,
  ...sandboxCommands,
]
