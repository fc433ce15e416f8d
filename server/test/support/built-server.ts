import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../../scripts/build-server.ts'
import { madeOnce } from './made-once.ts'

/** Programs of the proofs that are parts of the server. */
const OTHERS = {
  publisher: fileURLToPath(new URL('../prove/ledger/publisher-process.ts', import.meta.url)),
  'webhook-worker': fileURLToPath(new URL('../prove/webhooks/worker-process.ts', import.meta.url)),
}

type Program = 'main' | 'account' | 'operator-key' | 'seed' | keyof typeof OTHERS

/**
 * The server's bundle, made from the sources once a run (`npm run build:server`). Tests start hundreds of processes: loading the
 * sources takes two seconds of processor time each, loading the bundle less than one.
 */
export async function builtProgram(name: Program): Promise<string> {
  const directory = await madeOnce('built-server', (empty) => buildServer(empty, OTHERS))
  return join(directory, `${name}.js`)
}
