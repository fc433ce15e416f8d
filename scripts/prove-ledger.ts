import { onTestFinished } from 'vitest'
import { simulate } from '../server/test/prove/ledger/simulation.ts'
import { openStage } from '../server/test/prove/ledger/stage.ts'
import { longProof } from './long-proof.ts'

const WRITES = 400

longProof('whoever lists once and syncs from then on holds exactly what they may see', async ({ seed, goesOn }) => {
  const stage = await openStage('processes')
  onTestFinished(() => stage.close())
  const did = await simulate(stage, { seed, writes: WRITES, goesOn })
  return { did, findings: stage.findings.all }
})
