import { execFile } from 'node:child_process'
import { messageOf } from './error.ts'

/**
 * Programs get this small environment only. The caller's PGDATA, PGPORT and so on must not affect them, and their messages must be
 * in English, because we parse some of them. PATH names sbin, because the tools that create users are there.
 */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TZ: 'UTC',
  LC_ALL: 'C',
}

export type UnixUser = { readonly name: string; readonly uid: number; readonly gid: number }

/** The user who runs a program. `undefined` means the current user. */
export type RunAs = UnixUser | undefined

/** The options of spawn that set the user. With them libuv also removes root's supplementary groups. */
export function identityOptions(runAs: RunAs): { uid?: number; gid?: number } {
  return runAs ? { uid: runAs.uid, gid: runAs.gid } : {}
}

export type Outcome = { readonly ok: boolean; readonly output: string }

/** Runs a command to its end. The promise never rejects: a command that cannot be started counts as failed. */
export async function run(command: string, args: readonly string[], runAs?: RunAs): Promise<Outcome> {
  return await new Promise((resolve) => {
    // The unprivileged user may not be able to enter the current directory, so the command runs in the root directory.
    const options = { cwd: '/', env: CHILD_ENVIRONMENT, ...identityOptions(runAs) }
    const done = (error: Error | null, stdout: string, stderr: string) => {
      // After a failure stderr has the reason, because initdb writes its progress to stdout.
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

/** The last lines of a long output, which have the reason of a failure. */
export function lastLines(text: string, count = 20): string {
  return text.trim().split('\n').slice(-count).join('\n')
}
