import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { processEnvironment } from './process-environment.ts'

export type CommandResult = {
  readonly code: number | NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export type RunningCommand = { readonly child: ChildProcess; readonly ended: Promise<CommandResult> }

/** A command as `npm run NAME --` runs it: a separate process, ended with the test. */
function startCommand(name: string, environment: Record<string, string>, argv: string[] = []): RunningCommand {
  return startProgram(
    [fileURLToPath(new URL(`../../src/main/commands/${name}.ts`, import.meta.url)), ...argv],
    environment,
  )
}

/** A program with its arguments: a process of its own, ended with the test. */
export function startProgram(argv: string[], environment: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, argv, {
    env: { ...processEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk
  })
  const ended = new Promise<CommandResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...said }))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { child, ended }
}

export function runCommand(name: string, environment: Record<string, string>, argv: string[]): Promise<CommandResult> {
  return startCommand(name, environment, argv).ended
}

/** A new operator key, created at the shell. */
export async function operatorKey(environment: Record<string, string>, world: 'test' | 'live'): Promise<string> {
  const made = await runCommand('operator-key', environment, ['create', '--world', world, '--name', 'acceptance'])
  if (made.code !== 0) throw new Error(made.stderr)
  return made.stdout.trim()
}
