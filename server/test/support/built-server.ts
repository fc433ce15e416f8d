import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../../scripts/build-server.ts'
import { madeOnce } from './made-once.ts'

/** Programs that proofs start as processes. Each runs a part of the server. */
const OTHERS = {
  publisher: fileURLToPath(new URL('../prove/ledger/publisher-process.ts', import.meta.url)),
  'webhook-worker': fileURLToPath(new URL('../prove/webhooks/worker-process.ts', import.meta.url)),
}

type Program = 'main' | 'account' | 'operator-key' | 'seed' | keyof typeof OTHERS

/**
 * Builds the server's bundle from the sources once per run (`npm run build:server`), and returns the path of a program
 * in it. Tests start hundreds of processes. Each needs two seconds of processor time to load the sources, and less than
 * one to load the bundle.
 */
export async function builtProgram(name: Program): Promise<string> {
  const directory = await madeOnce('built-server', (empty) => buildServer(empty, OTHERS))
  return join(directory, `${name}.js`)
}
