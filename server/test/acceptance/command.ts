import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { builtProgram } from '#test/built-server.ts'
import { processEnvironment } from './process-environment.ts'

export type CommandResult = {
  readonly code: number | NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export type RunningCommand = { readonly child: ChildProcess; readonly ended: Promise<CommandResult> }

/** Starts a program in its own process, which ends with the test. */
export function startProgram(argv: string[], environment: Record<string, string>, cwd?: string): RunningCommand {
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { ...processEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk
  })
  const ended = new Promise<CommandResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output }))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { child, ended }
}

/** Runs a command as `npm run NAME --` does, from the server's bundle. */
export async function runCommand(
  name: 'account' | 'operator-key' | 'seed',
  environment: Record<string, string>,
  argv: string[],
): Promise<CommandResult> {
  return await startProgram([await builtProgram(name), ...argv], environment).ended
}

/** Creates an operator key with the command, and returns it. */
export async function operatorKey(environment: Record<string, string>, world: 'test' | 'live'): Promise<string> {
  const result = await runCommand('operator-key', environment, [
    'create',
    '--world',
    world,
    '--name',
    'acceptance',
    '--reason',
    'A test',
  ])
  if (result.code !== 0) throw new Error(result.stderr)
  return result.stdout.trim()
}
