import { onTestFinished } from 'vitest'
import { soak } from '../server/test/prove/webhooks/soak.ts'
import { openTheatre } from '../server/test/prove/webhooks/with-processes.ts'
import { longProof } from './long-proof.ts'

const LONG = { workers: 3, events: 400, patienceMs: 30_000, failingSteps: 13 }

longProof('every event reaches whoever may have it, and nobody else', async (run) => {
  const theatre = await openTheatre()
  onTestFinished(() => theatre.close())
  const { did, findings } = await soak(theatre, { ...LONG, ...run })
  return { did, findings: findings.all }
})
