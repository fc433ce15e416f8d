import { execFile } from 'node:child_process'
import { messageOf } from './error.ts'

/**
 * A small environment: the caller's PGDATA, PGPORT and so on must not leak in, the messages must be in English because we parse
 * some of them, and the account tools are in sbin. Every program we run is either ours, by its full path, or the system's.
 */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TZ: 'UTC',
  LC_ALL: 'C',
}

export type UnixUser = { readonly name: string; readonly uid: number; readonly gid: number }

/** `undefined` means: as the current user. */
export type RunAs = UnixUser | undefined

/** Dropping root with these options also drops root's supplementary groups (libuv does that). */
export function identityOptions(runAs: RunAs): { uid?: number; gid?: number } {
  return runAs ? { uid: runAs.uid, gid: runAs.gid } : {}
}

export type Outcome = { readonly ok: boolean; readonly output: string }

/** Runs a short command to its end. Never rejects: a command that cannot be started counts as failed. */
export async function run(command: string, args: readonly string[], runAs?: RunAs): Promise<Outcome> {
  return await new Promise((resolve) => {
    // The root directory, because the unprivileged user may not be able to enter the current directory.
    const options = { cwd: '/', env: CHILD_ENVIRONMENT, ...identityOptions(runAs) }
    const done = (error: Error | null, stdout: string, stderr: string) => {
      // For a failure, stderr: initdb writes its progress to stdout.
      if (error) resolve({ ok: false, output: stderr.trim() || stdout.trim() || messageOf(error) })
      else resolve({ ok: true, output: stdout.trim() })
    }
    try {
      execFile(command, [...args], options, done)
    } catch (error) {
      resolve({ ok: false, output: messageOf(error) })
    }
  })
}

/** The reason of a failure is at the end of a long output. */
export function lastLines(text: string, count = 20): string {
  return text.trim().split('\n').slice(-count).join('\n')
}
