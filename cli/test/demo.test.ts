import { describe } from 'vitest'
import { demoService } from '../../server/test/acceptance/demo-service.ts'
import type { DemoFile } from '../src/connection/demo-file.ts'
import { importCases } from './cases/import.ts'
import { listenCases } from './cases/listen.ts'
import { operatorCases } from './cases/operator.ts'
import { recordCases } from './cases/records.ts'
import { sessionCases } from './cases/session.ts'
import { shownCases } from './cases/shown.ts'
import { syncCases } from './cases/sync.ts'
import { triggerCases } from './cases/trigger.ts'

// All tests share one service, because each start of a service with its demo takes several seconds.
let demo: DemoFile
demoService<DemoFile>((startedDemo) => {
  demo = startedDemo
})

describe('portico listen', () => listenCases(() => demo))
describe('portico events, endpoints, deliveries, installations and clock', () => recordCases(() => demo))
describe('portico trigger', () => triggerCases(() => demo))
describe('portico login, logout, whoami, apps, keys, scopes and doctor', () => sessionCases(() => demo))
describe('portico sync and verify-sync', () => syncCases(() => demo))
describe('the output of commands', () => shownCases(() => demo))
describe('portico import', () => importCases(() => demo))
describe('portico operator', () => operatorCases(() => demo))
