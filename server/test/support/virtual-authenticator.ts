import type { Page } from 'playwright-core'

export type VirtualAuthenticator = {
  /** Whether it verifies its user. It does until the test says otherwise. */
  verifies(verified: boolean): Promise<void>
  /** Whether the person answers by themself what the browser asks. */
  answers(all: boolean): Promise<void>
  /** Presses the button and answers the browser's question. */
  press(label: string): Promise<void>
}

/** Gives the page Chromium's own authenticator, as a device with a screen lock has one. Before the first page is opened. */
export async function addAuthenticator(page: Page, { autofill = false } = {}): Promise<VirtualAuthenticator> {
  // It answers autofill by itself, which would race with the buttons.
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
  const answers = async (enabled: boolean) => {
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
  return {
    answers,
    verifies: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    press: async (label) => {
      await answers(true)
      await page.getByRole('button', { name: label }).click()
      await page.getByRole('button', { name: label }).waitFor({ state: 'detached' })
      await answers(false)
    },
  }
}
