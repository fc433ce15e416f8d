import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { PermissionError } from '@portico/sdk'
import type { Context } from './command.ts'
import { EXIT, Failure } from './failure.ts'

/** Opens an address in the person's browser, if there is one. Callers print the address too. */
export function openBrowser(url: string, browser: string | undefined): void {
  const [program, ...args] = browser?.split(' ') ?? (process.platform === 'darwin' ? ['open'] : ['xdg-open'])
  if (program === undefined) return
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  // Without a browser on this machine, the person opens the printed address elsewhere.
  child.once('error', () => {})
  child.unref()
}

const RETRY_EVERY_MS = 2_000
const GIVE_UP_MS = 300_000

/**
 * Sends a request for which the service requires a recent proof of identity. The person confirms in the browser, and the
 * request is repeated until it succeeds or five minutes have passed.
 */
export async function withRecentProof<T>(context: Context, baseUrl: string, work: () => Promise<T>): Promise<T> {
  const { printer, environment } = context
  const deadline = Date.now() + GIVE_UP_MS
  let isAddressShown = false
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PermissionError) || error.details['reason'] !== 'recent_proof_required') throw error
      if (!isAddressShown) {
        const url = new URL(String(error.details['confirm_url']), baseUrl).href
        printer.note(`Confirm in the browser who you are: ${url}`)
        openBrowser(url, environment.browser)
      }
      isAddressShown = true
      if (Date.now() > deadline) {
        throw new Failure('You did not confirm in the browser in time.', {
          exit: EXIT.credential,
          remedy: 'Run the command again.',
          cause: error,
        })
      }
      await wait(RETRY_EVERY_MS)
    }
  }
}
