import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { logStep } from './run.ts'

/** Debian 12's PostgreSQL. */
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'

/** A file that a package installs, and the package. */
const PACKAGES: Readonly<Record<string, string>> = {
  [`${POSTGRES_BIN}/postgres`]: 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/redis-server': 'redis-server',
  '/usr/bin/pgbackrest': 'pgbackrest',
  '/usr/bin/prometheus': 'prometheus',
}

const APT_GET = '/usr/bin/apt-get'

/** Debian runs this script before an installed package starts its service. The exit code 101 forbids the start. */
const POLICY = '/usr/sbin/policy-rc.d'
const START_NOTHING = '#!/bin/sh\nexit 101\n'

/** Installs the missing packages. If this process may not do that, throws an error with the command to run. */
export async function needPackages(wanted: readonly string[]): Promise<void> {
  const missing = Object.entries(PACKAGES).filter(([file, name]) => wanted.includes(name) && !existsSync(file))
  if (missing.length === 0) return
  const names = missing.map(([, name]) => name)
  const command = [APT_GET, 'install', '-y', '--no-install-recommends', ...names]
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) {
    throw new Error(`These programs are missing. Install them as root: ${command.join(' ')}`)
  }
  logStep(`installing ${names.join(', ')}`)
  const ours = !existsSync(POLICY)
  if (ours) await writeFile(POLICY, START_NOTHING, { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { env, stdio: ['ignore', 'ignore', 'inherit'] as const }
    execFileSync(APT_GET, ['update', '-qq'], { env, stdio: [...options.stdio] })
    execFileSync(APT_GET, command.slice(1), { env, stdio: [...options.stdio] })
  } finally {
    if (ours) await rm(POLICY)
  }
}
