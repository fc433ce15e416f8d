import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { PermissionError } from '@portico/sdk'
import type { Context } from './command.ts'
import { EXIT, Failure } from './failure.ts'

/** Opens an address in the person's browser, if there is one. The address is always printed too. */
export function openBrowser(url: string, browser: string | undefined): void {
  const [program, ...args] = browser?.split(' ') ?? (process.platform === 'darwin' ? ['open'] : ['xdg-open'])
  if (program === undefined) return
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  // A machine without a browser: the person opens the printed address.
  child.once('error', () => {})
  child.unref()
}

const ASK_EVERY_MS = 2_000
const GIVE_UP_MS = 300_000

/**
 * For secrets the service needs a recent proof of identity: the person confirms it in the browser, and the request is
 * sent again.
 */
export async function withRecentProof<T>(context: Context, baseUrl: string, work: () => Promise<T>): Promise<T> {
  const { printer, environment } = context
  const until = Date.now() + GIVE_UP_MS
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
      if (Date.now() > until) {
        throw new Failure('Nobody confirmed in the browser.', {
          exit: EXIT.credential,
          remedy: 'Run the command again.',
          cause: error,
        })
      }
      await wait(ASK_EVERY_MS)
    }
  }
}
