import { noFindings } from '../findings.ts'
import { type Random, seeded } from '../random.ts'
import { causeBurst, causeEvent } from './caused-events.ts'
import { changeSomething, changeTheRest, recordDisabled } from './changes.ts'
import { checkDeliveries } from './check-deliveries.ts'
import { countDeliveryBatches, installBatchLog } from './delivery-batches.ts'
import type { KillableWorker } from './killable-workers.ts'
import { makeParticipants } from './make-participants.ts'
import { MOODS } from './receiver.ts'
import { type Patience, settle, watchSleepers } from './settle.ts'
import { count, type Environment, type Stage } from './stage.ts'
import { watchStalls } from './stalls.ts'
import { installTakeoverLog } from './takeovers.ts'

export type Settings = Patience & {
  readonly seed: number
  readonly workers: number
  /** The number of events in each round, before the quiet time in which all deliveries must finish. */
  readonly events: number
  /** Returns, before each round, whether to run it. */
  readonly mayContinue: (round: number) => boolean
}

export type Result = Pick<Stage, 'findings'> & { readonly did: Readonly<Record<string, number>> }

/** Runs rounds of the soak from one seed while `mayContinue` returns true. Stops after the first finding. */
export async function soak(environment: Environment, settings: Settings): Promise<Result> {
  const random = seeded(settings.seed)
  const stage: Stage = {
    ...environment,
    participants: await makeParticipants(environment, random.fork()),
    findings: noFindings(),
    stalls: watchStalls(environment.sql),
    ...{ happenings: new Map(), did: new Map() },
  }
  const crew = new Crew(stage, random.fork())
  await installTakeoverLog(stage)
  await installBatchLog(stage)
  try {
    await crew.hire(settings.workers)
    for (let round = 0; settings.mayContinue(round) && stage.findings.all.length === 0; round++) {
      await commotion({ stage, random, crew }, settings.events)
      if (stage.findings.all.length === 0) await changeTheRest(stage, random)
      await settleAndJudge(stage, random, settings)
      // A recovered endpoint gets many events at a time, while workers are killed and installations and apps change
      // again.
      await busyDays({ stage, random, crew })
      await settleAndJudge(stage, random, { ...settings, failingSteps: 0 })
      await countDeliveryBatches(stage)
      count(stage, 'rounds')
    }
  } finally {
    await stage.stalls.stop()
    await crew.bury()
    await Promise.all(stage.participants.receivers.map((receiver) => receiver.die()))
  }
  return { findings: stage.findings, did: Object.fromEntries(stage.did) }
}

async function settleAndJudge(stage: Stage, random: Random, patience: Patience): Promise<void> {
  await settle(stage, random.fork(), patience)
  await checkDeliveries(stage)
  forget(stage)
}

/** Removes the checked deliveries, so that they are not checked again. None of them is still being sent. */
function forget({ happenings, participants, stalls }: Stage): void {
  happenings.clear()
  stalls.forget()
  for (const { receipts } of participants.receivers) receipts.length = 0
}

type Run = { readonly stage: Stage; readonly random: Random; readonly crew: Crew }

const LULL_ONE_IN = 15
const LULL_MAX_MS = 600

/** Runs events, changes, workers and receivers at the same time, until this many events happened or a check failed. */
async function commotion({ stage, random, crew }: Run, events: number): Promise<void> {
  let left = events
  const mayContinue = () => left > 0 && stage.findings.all.length === 0
  const loop = async (pauseMs: number, work: (own: Random) => Promise<void>) => {
    const own = random.fork()
    while (mayContinue()) {
      await own.pause(pauseMs)
      await work(own).catch((error: unknown) =>
        stage.findings.add('error', error instanceof Error ? `${error.stack}` : String(error)),
      )
    }
  }
  let lull: Promise<void> = Promise.resolve()
  const write = async (own: Random) => {
    left -= 1
    // Sometimes nothing happens for a while, so lanes become idle and must be woken later.
    if (own.oneIn(LULL_ONE_IN)) lull = own.pause(LULL_MAX_MS)
    await lull
    await causeEvent(stage, own)
  }
  await Promise.all([
    loop(40, write),
    loop(40, write),
    loop(60, (own) => disturb(stage, own)),
    loop(80, (own) => own.pick(stage.participants.receivers).turn(own.pick(MOODS))),
    loop(1_500, (own) => crew.replaceOne(own)),
  ])
}

const BURSTS = 16

/** All receivers answer well, except one from time to time. */
async function busyDays({ stage, random, crew }: Run): Promise<void> {
  const own = random.fork()
  for (let burst = 0; burst < BURSTS && stage.findings.all.length === 0; burst++) {
    await causeBurst(stage, own)
    await own.pause(BETWEEN_BURSTS_MS)
    if (own.oneIn(2)) await changeSomething(stage, own)
    if (own.oneIn(4)) await crew.replaceOne(own)
    if (own.oneIn(3)) await lapse(stage, own)
  }
}

const BETWEEN_BURSTS_MS = 120

/** Lets a receiver fail while it gets a burst. */
async function lapse({ participants }: Stage, random: Random): Promise<void> {
  const receiver = random.pick(participants.receivers)
  await receiver.turn(random.pick(['failing', 'flapping', 'hanging', 'reset', 'slow']))
  await random.pause(BETWEEN_BURSTS_MS)
  await receiver.turn('ok')
}

/**
 * How far the clock moves, so that retries that are hours apart happen at once. It is less than the time after which
 * history is dropped, so that the proof can check the history first.
 */
const AHEAD = ['3 seconds', '7 seconds', '6 minutes', '40 minutes', '3 hours']

async function disturb(stage: Stage, random: Random): Promise<void> {
  if (stage.restartDatabase !== null && random.oneIn(60)) {
    count(stage, 'restarts')
    return stage.restartDatabase()
  }
  if (random.oneIn(2)) return changeSomething(stage, random)
  await recordDisabled(stage)
  await watchSleepers(stage)
  await advance(stage, random.pick(AHEAD))
}

async function advance({ sql }: Stage, by: string): Promise<void> {
  await sql('update test.world_clock set ahead = ahead + $1::interval', [by])
}

/** Runs the workers. From time to time one is killed, and another replaces it. */
class Crew {
  readonly #stage: Stage
  readonly #random: Random
  readonly #alive: KillableWorker[] = []
  readonly #dead: KillableWorker[] = []

  constructor(stage: Stage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  async hire(number: number): Promise<void> {
    for (let at = 0; at < number; at++) this.#alive.push(await this.#stage.startWorker(this.#random.fork()))
  }

  async replaceOne(random: Random): Promise<void> {
    const [victim] = this.#alive.splice(random.below(this.#alive.length), 1)
    if (victim === undefined) return
    await victim.kill()
    this.#dead.push(victim)
    count(this.#stage, 'kills')
    await this.hire(1)
  }

  async bury(): Promise<void> {
    await Promise.all([...this.#alive, ...this.#dead].map((each) => each.bury()))
  }
}
