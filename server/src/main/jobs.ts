import { purgeSignIns } from '#access/accounts/index.ts'
import { noticeExpiringSecrets, recordWaiting } from '#access/apps/index.ts'
import { chainAudit } from '#access/audit/index.ts'
import { purgeLimitUsage } from '#access/limits/index.ts'
import { purgeInvitations } from '#access/organizations/index.ts'
import { purgeRequests, turnRequestLog } from '#access/requests/index.ts'
import { purgeTokens } from '#access/tokens/index.ts'
import { purgeEvents } from '#events/index.ts'
import { carryOutApproved, expireDueIntents, nextExpiryInMs } from '#hosted/intents/index.ts'
import { type InviteMailing, nextInvitationInMs, sendInviteMails } from '#hosted/invites/index.ts'
import { expireDueSessions } from '#hosted/sessions/index.ts'
import { purgeExpired, purgeExpiredOfPlatform } from '#http/idempotency-store.ts'
import { purgeRefused } from '#intake/refused/index.ts'
import { inEach, WORLDS, type World } from '#kernel/world.ts'
import { BatchSize, nextRetryInMs, publishRound, purgeLedger, republishRound } from '#ledger/index.ts'
import { type Mailer, nextMailInMs, purgeDeadMails, purgeUnsentMails, sendMails } from '#mail/index.ts'
import { mailNotices, nextNoticeInMs, notifyAppTeam, notifyOfSigningSecret, notifyTeam } from '#notices/index.ts'
import { nextWeekInMs, purgeVisits, type ReleaseSettings, releaseWeek, resealKeys } from '#referrals/index.ts'
import { type Job, WakeSignal, watchWrites } from '#system/job-loop.ts'
import type { JobRuns } from '#system/job-run-store.ts'
import type { Log } from '#system/log.ts'
import type { Databases, PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { newestWrite } from '#system/postgres/work-channel.ts'
import type { Tracing } from '#system/tracing.ts'
import { purgeActivity } from '#views/activity/index.ts'
import { refreshFigures } from '#views/catalog/index.ts'
import {
  deleteOldStops,
  endStopped,
  eraseSecrets,
  expireDeliveries,
  fanOutRound,
  nextFailingNoticeInMs,
  noticeExpiringSigningSecrets,
  placeRound,
  purgeAttemptCounts,
  purgeEntries,
  purgeStrays,
  turnHistory,
  watchFailing,
} from '#webhooks/index.ts'
import { INTENT_AROUND } from './module-settings.ts'

/** For work that is not urgent: purges, and notices about things that expire soon. */
const PURGE = { busyMs: 100, idleMs: 60_000, limit: 500 } as const
/** The batch is small, because it locks its sessions and their memberships, or its intents, until it commits. */
const EXPIRE_BATCH = 50
/** The batch is small, because recording attempts waits for the rows that the batch locks. */
const STOPPED_BATCH = 1_000

/**
 * A round computes the totals of an offering once for all its changes, and a popular offering may have thousands of changes. So
 * a round takes many changes but few offerings.
 */
const FIGURES_SHARE = { changes: 10_000, offerings: 200 }

/**
 * How often a job polls while nothing is written, if only a write can cause its work. `watchWrites` makes such jobs poll within
 * a second of a write. A job whose work becomes due at a time, such as a retry, also reads when the next work is due
 * (`dueInMs`).
 */
const QUIET_MS = 10_000

const FAILING_BATCH = 100
const MAIL_BATCH = 20

export type JobParts = {
  readonly databases: Databases
  /** The same databases, with the pool for jobs that take rows out of queues. */
  readonly queues: Databases
  /** Called after deliveries were queued, so that the sender does not wait for the next poll. */
  readonly wakeEngine: (world: World) => void
  readonly referrals: ReleaseSettings
  /** Null if mail is not configured. */
  readonly mailer: Mailer | null
  /** For the texts of invitations. */
  readonly invites: Pick<InviteMailing, 'links' | 'brand'>
  readonly log: Log
  /** Null if traces are not exported. */
  readonly tracing: Tracing | null
  /** Records the rounds of the jobs, for operators. */
  readonly runs: JobRuns
}

type Jobs = {
  /** Every background job, except sending deliveries. */
  readonly all: readonly Job[]
  /** Called after a commit: makes the jobs that have one of the `WorldSignals` poll at once. */
  wake(): void
}

export function jobs(parts: JobParts): Jobs {
  const signals = inEach((): WorldSignals => {
    return { publish: new WakeSignal(), fanOut: new WakeSignal(), place: new WakeSignal() }
  })
  const working = workingJobs(parts, signals)
  const { platform } = parts.databases
  return {
    all: [watchWrites(() => newestWrite(platform), working), parts.runs.job(platform), ...working],
    wake() {
      for (const world of WORLDS) for (const signal of Object.values(signals[world])) signal.wake()
    },
  }
}

function workingJobs(parts: JobParts, signals: Readonly<Record<World, WorldSignals>>): Job[] {
  const { databases, mailer, invites, log } = parts
  const { platform } = databases
  return [
    ...platformJobs(platform),
    ...(mailer === null ? [purgeUnsent(platform)] : mailJobs({ platform, mailer, log })),
    ...(mailer === null ? [] : WORLDS.map((world) => inviteMailJob({ db: databases[world], mailer, ...invites, log }))),
    ...WORLDS.flatMap((world) => [
      ...worldJobs(world, databases[world], signals[world]),
      ...referralJobs(world, parts),
      ...webhookJobs(world, parts, signals[world]),
    ]),
  ]
}

/** For a job that no other code wakes: while nothing is written, it polls only every `QUIET_MS`. */
const quiet = (job: Omit<Job, 'quietMs' | 'wakeUp'>): Job => ({ ...job, quietMs: QUIET_MS, wakeUp: new WakeSignal() })

/**
 * Publishing records events, fan-out turns them into deliveries and stream entries, and placing gives the stream entries their
 * positions. Each job wakes the next.
 */
type WorldSignals = { readonly publish: WakeSignal; readonly fanOut: WakeSignal; readonly place: WakeSignal }

function mailJobs(mailing: Parameters<typeof sendMails>[0]): Job[] {
  const { platform } = mailing
  return [
    quiet({
      name: 'mail_notices',
      busyMs: 100,
      idleMs: 2_000,
      dueInMs: () => nextNoticeInMs(platform),
      round: async () => (await mailNotices(platform, MAIL_BATCH)) === MAIL_BATCH,
    }),
    quiet({
      name: 'send_mails',
      busyMs: 100,
      idleMs: 1_000,
      dueInMs: () => nextMailInMs(platform),
      round: async () => (await sendMails(mailing, MAIL_BATCH)) === MAIL_BATCH,
    }),
  ]
}

function purgeUnsent(platform: PlatformDatabase): Job {
  return batchJob('purge_unsent_mails', platform, { ...PURGE, take: purgeUnsentMails })
}

function inviteMailJob(mailing: InviteMailing): Job {
  return quiet({
    name: `send_invitations_${mailing.db.world}`,
    busyMs: 100,
    idleMs: 2_000,
    dueInMs: () => nextInvitationInMs(mailing.db),
    round: async () => (await sendInviteMails(mailing, MAIL_BATCH)) === MAIL_BATCH,
  })
}

function referralJobs(world: World, { databases, referrals }: JobParts): Job[] {
  const db = databases[world]
  return [
    quiet({
      name: `release_referral_weeks_${world}`,
      busyMs: 5,
      idleMs: 1_000,
      dueInMs: () => nextWeekInMs(db),
      round: () => db.transaction((tx) => releaseWeek(tx, referrals)),
    }),
    batchJob(`purge_referral_visits_${world}`, db, { ...PURGE, take: purgeVisits }),
    batchJob(`reseal_referral_keys_${world}`, db, {
      ...PURGE,
      take: (tx, limit) => resealKeys(tx, referrals.tokenKeys, limit),
    }),
  ]
}

function webhookJobs(world: World, { databases, queues, wakeEngine, tracing }: JobParts, signals: WorldSignals): Job[] {
  const db = databases[world]
  return [
    {
      name: `fan_out_${world}`,
      busyMs: 0,
      idleMs: 100,
      quietMs: QUIET_MS,
      wakeUp: signals.fanOut,
      round: async () => {
        const { tookSome, mayHaveMore } = await fanOutRound(queues[world], undefined, tracing)
        if (tookSome) wakeEngine(world)
        if (tookSome) signals.place.wake()
        return mayHaveMore
      },
    },
    {
      name: `place_stream_entries_${world}`,
      busyMs: 0,
      idleMs: 100,
      quietMs: QUIET_MS,
      wakeUp: signals.place,
      round: () => placeRound(queues[world]),
    },
    batchJob(`purge_event_stream_${world}`, db, { ...PURGE, take: purgeEntries }),
    quiet({
      name: `end_stopped_deliveries_${world}`,
      busyMs: 5,
      idleMs: 1_000,
      round: () => queues[world].transaction((tx) => endStopped(tx, STOPPED_BATCH)),
    }),
    batchJob(`forget_delivery_stops_${world}`, db, { ...PURGE, take: deleteOldStops }),
    quiet({
      ...batchJob(`watch_failing_endpoints_${world}`, db, {
        busyMs: 100,
        idleMs: 1_000,
        limit: FAILING_BATCH,
        take: (tx, limit) => watchFailing(tx, limit, notifyTeam),
      }),
      dueInMs: () => nextFailingNoticeInMs(db),
    }),
    batchJob(`expire_deliveries_${world}`, db, { ...PURGE, take: expireDeliveries }),
    batchJob(`purge_delivery_history_${world}`, db, { ...PURGE, take: purgeStrays }),
    {
      name: `turn_delivery_history_${world}`,
      busyMs: 60_000,
      idleMs: 60_000,
      round: async () => (await databases.platform.transaction((tx) => turnHistory(tx, world))) > 0,
    },
  ]
}

function platformJobs(platform: PlatformDatabase): Job[] {
  return [
    batchJob('purge_idempotency_keys_platform', platform, { ...PURGE, take: purgeExpiredOfPlatform }),
    batchJob('purge_sign_ins', platform, { ...PURGE, take: purgeSignIns }),
    batchJob('purge_team_invitations', platform, { ...PURGE, take: purgeInvitations }),
    batchJob('erase_webhook_secrets', platform, { ...PURGE, take: eraseSecrets }),
    batchJob('notice_expiring_client_secrets', platform, {
      ...PURGE,
      take: (tx, limit) => noticeExpiringSecrets(tx, limit, notifyAppTeam),
    }),
    batchJob('notice_expiring_signing_secrets', platform, {
      ...PURGE,
      take: (tx, limit) => noticeExpiringSigningSecrets(tx, limit, notifyOfSigningSecret),
    }),
    batchJob('purge_requests', platform, { ...PURGE, take: purgeRequests }),
    batchJob('purge_limit_use', platform, { ...PURGE, take: purgeLimitUsage }),
    batchJob('purge_attempt_counts', platform, { ...PURGE, take: purgeAttemptCounts }),
    {
      name: 'turn_request_log',
      busyMs: 60_000,
      idleMs: 60_000,
      round: async () => (await platform.transaction(turnRequestLog)) > 0,
    },
    {
      name: 'count_waiting_requests',
      busyMs: 60_000,
      idleMs: 60_000,
      round: async () => {
        await platform.transaction(recordWaiting)
        return false
      },
    },
    quiet(batchJob('chain_audit', platform, { busyMs: 10, idleMs: 2_000, limit: 500, take: chainAudit })),
    batchJob('purge_dead_mails', platform, { ...PURGE, take: purgeDeadMails }),
  ]
}

function worldJobs(world: World, db: WorldDatabase, signals: WorldSignals): Job[] {
  const batchSize = new BatchSize()
  /**
   * An expiry causes an event and may change investments, so the jobs that expire records wake publishing and fan-out.
   */
  const expired = () => {
    signals.publish.wake()
    signals.fanOut.wake()
  }
  return [
    batchJob(`purge_idempotency_keys_${world}`, db, { ...PURGE, take: purgeExpired }),
    batchJob(`expire_sessions_${world}`, db, {
      busyMs: 100,
      idleMs: 1_000,
      limit: EXPIRE_BATCH,
      take: expireDueSessions,
      onTaken: expired,
    }),
    quiet({
      ...batchJob(`expire_intents_${world}`, db, {
        busyMs: 100,
        idleMs: 1_000,
        limit: EXPIRE_BATCH,
        take: expireDueIntents,
        onTaken: expired,
      }),
      dueInMs: () => nextExpiryInMs(db),
    }),
    // Usually the request that approves an intent carries it out. If the process dies after the approval, this job
    // carries the intent out.
    quiet({
      name: `carry_out_intents_${world}`,
      busyMs: 100,
      idleMs: 1_000,
      round: async () => {
        const carriedOut = await carryOutApproved(db, EXPIRE_BATCH, INTENT_AROUND)
        if (carriedOut > 0) signals.publish.wake()
        return carriedOut === EXPIRE_BATCH
      },
    }),
    quiet({
      name: `refresh_figures_${world}`,
      busyMs: 100,
      idleMs: 1_000,
      round: () => db.transaction((tx) => refreshFigures(tx, FIGURES_SHARE)),
    }),
    // The idle wait is short, because an event should be visible within a second.
    {
      name: `publish_${world}`,
      busyMs: 1,
      idleMs: 100,
      quietMs: QUIET_MS,
      wakeUp: signals.publish,
      dueInMs: () => nextRetryInMs(db),
      round: async () => {
        const tookSome = await publishRound(db, batchSize)
        if (tookSome) signals.fanOut.wake()
        return tookSome
      },
    },
    quiet({ name: `republish_${world}`, busyMs: 100, idleMs: 1_000, round: () => republishRound(db) }),
    batchJob(`purge_ledger_${world}`, db, { ...PURGE, take: purgeLedger }),
    batchJob(`purge_events_${world}`, db, { ...PURGE, take: purgeEvents }),
    batchJob(`purge_activity_${world}`, db, { ...PURGE, take: purgeActivity }),
    batchJob(`purge_refused_facts_${world}`, db, { ...PURGE, take: purgeRefused }),
    batchJob(`purge_tokens_${world}`, db, { ...PURGE, idleMs: 5_000, take: purgeTokens }),
  ]
}

type Batch<T> = Pick<Job, 'busyMs' | 'idleMs'> & {
  readonly limit: number
  /** Processes at most `limit` items and returns how many there were. */
  readonly take: (tx: T, limit: number) => Promise<number>
  /** Called after a commit that processed something. */
  readonly onTaken?: () => void
}

type Transacting<T> = { transaction<R>(work: (tx: T) => Promise<R>): Promise<R> }

/** A job that runs one transaction per round. A full batch means that more items may wait. */
function batchJob<T>(name: string, db: Transacting<T>, batch: Batch<T>): Job {
  const { busyMs, idleMs, limit, take, onTaken = () => {} } = batch
  return {
    ...{ name, busyMs, idleMs },
    round: async () => {
      const taken = await db.transaction((tx) => take(tx, limit))
      if (taken > 0) onTaken()
      return taken === limit
    },
  }
}
