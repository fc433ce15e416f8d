import { systemClock } from '#kernel/clock.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from '#test/patient.ts'
import { deliveryEngine } from '../engine.ts'
import { ENGINE_DEFAULTS } from '../settings.ts'

/** A worker in its own process, for tests that kill it: `node worker-process.ts <database> <sealing secret>`. */
const [url = '', sealingSecret = ''] = process.argv.slice(2)
const { test: db } = await openDatabases({ url, poolSize: 2, times: PATIENT, onError: () => {} })

deliveryEngine({
  db,
  sender: outboundSender({ addressPolicy: { loopback: true, ranges: [] } }),
  secrets: sealedBox(keyring(sealingSecret)('webhook-secrets')),
  clock: systemClock,
  random: Math.random,
  signatureHeader: 'Wefunder-Signature',
  settings: { ...ENGINE_DEFAULTS, idleMs: 50, leaseSeconds: 2, renewMs: 500 },
  onGone: async () => {},
  log: openLog('silent'),
  metrics: { delivery: () => {} },
}).start()
