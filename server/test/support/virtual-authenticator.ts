import type { Page } from 'playwright-core'

export type VirtualAuthenticator = {
  /** Sets whether the authenticator verifies its user. At first it does. */
  setUserVerification(verified: boolean): Promise<void>
  /** Sets whether the authenticator answers every prompt of the browser by itself. */
  setAutomaticAnswers(all: boolean): Promise<void>
  /** Presses the button and answers the browser's prompt. */
  press(label: string): Promise<void>
}

/**
 * Adds Chromium's virtual authenticator, which acts like a device with a screen lock. Call this before the first page
 * is opened.
 */
export async function addAuthenticator(page: Page, { autofill = false } = {}): Promise<VirtualAuthenticator> {
  // Otherwise the authenticator answers autofill prompts by itself, which would race with the buttons.
  if (!autofill) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = undefined')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: false,
  } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  const setAutomaticAnswers = async (enabled: boolean) => {
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
  return {
    setAutomaticAnswers,
    setUserVerification: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    press: async (label) => {
      await setAutomaticAnswers(true)
      await page.getByRole('button', { name: label }).click()
      await page.getByRole('button', { name: label }).waitFor({ state: 'detached' })
      await setAutomaticAnswers(false)
    },
  }
}
