import { readFileSync } from 'node:fs'

export type Settings = { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string }

type Demo = {
  readonly base_url: string
  readonly apps: readonly { readonly keys: readonly { client_id: string; client_secret?: string }[] }[]
}

/** Reads the settings, and checks that the service responds. */
export async function readSettings(): Promise<Settings> {
  const settings = findSettings()
  try {
    await fetch(`${settings.baseUrl}/healthz`)
  } catch {
    console.error(
      `Nothing answers at ${settings.baseUrl}. Start the demo (npm start in the root of the repository), or check PORTICO_BASE_URL.`,
    )
    process.exit(1)
  }
  return settings
}

/** Reads the environment, or otherwise the file of the demo that `npm start` runs in the root of the repository. */
function findSettings(): Settings {
  const {
    PORTICO_BASE_URL: baseUrl,
    PORTICO_CLIENT_ID: clientId,
    PORTICO_CLIENT_SECRET: clientSecret,
    PORTICO_DEMO_FILE: file = new URL('../../.portico/demo.json', import.meta.url),
  } = process.env
  if (baseUrl && clientId && clientSecret) return { baseUrl, clientId, clientSecret }
  try {
    const { base_url, apps }: Demo = JSON.parse(readFileSync(file, 'utf8'))
    const key = apps[0]?.keys[0]
    return { baseUrl: base_url, clientId: key?.client_id ?? '', clientSecret: key?.client_secret ?? '' }
  } catch {
    console.error(
      'There are no settings. Start the demo first (npm start in the root of the repository), or set PORTICO_BASE_URL, PORTICO_CLIENT_ID and PORTICO_CLIENT_SECRET.',
    )
    process.exit(1)
  }
}
