import type { Command } from '../command.ts'
import { listenCommand } from './listen.ts'
import { triggerCommand } from './trigger.ts'

/** Every command, in the order of the help. A command is one file that exports one of these. */
export const COMMANDS: readonly Command[] = [listenCommand, triggerCommand]
