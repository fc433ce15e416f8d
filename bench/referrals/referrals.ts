import { readOptions } from '../arguments.ts'
import { withBareServer } from '../bare-server/with-bare-server.ts'
import { onDatabase } from '../database.ts'
import { runRounds, type Side } from '../load/rounds.ts'
import { withGenerator } from '../load/with-generator.ts'
import { type Service, withDatabaseAndService } from '../service.ts'
import { makeManyTokens, tokenText } from '../tokens/many-tokens.ts'
import { codeId, fillReferrals } from './fill.ts'
import { measurePublishing } from './publishing.ts'
import { reportPublishing, reportStats } from './report.ts'

const OPTIONS = {
  codes: { usual: 1_000, most: 5_000 },
  investments: { usual: 200_000, most: 1_000_000 },
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 3, most: 60 },
  connections: { usual: 64, most: 256 },
} as const

const WARM_UP_MS = 4_000
const WITH_YEAR = 20

/** Measures publishing a large week. Compares reading a year of statistics with bare servers, with and without token check. */
export async function measureReferrals(argv: readonly string[]): Promise<void> {
  const { numbers, flags } = readOptions(argv, OPTIONS, ['one-code'])
  await withDatabaseAndService(async ({ service, url, dataDirectory }) => {
    await makeServerKeys(url)
    const withYear = Math.min(WITH_YEAR, numbers.codes)
    await fillReferrals(url, { ...numbers, withYear, oneCode: flags.has('one-code') })
    const publishing = await measurePublishing(service, { url, dataDirectory })
    // Leaves out the first code, because its app has no token (see `bearer`).
    const numbersOfCodes = Array.from({ length: withYear - 1 }, (_, at) => at + 2)
    const texts = await Promise.all(numbersOfCodes.map((code) => textOf(service, code)))
    const bytes = Math.max(...texts.map(({ text }) => Buffer.byteLength(text)))
    reportPublishing(publishing, { ...numbers, bytes })
    const bare = { databaseUrl: url, texts }
    await withBareServer({ ...bare, looksUp: true }, (checking) =>
      withBareServer({ ...bare, looksUp: false }, (nothing) =>
        withGenerator(async (generator) => {
          const side = ({ address, pid }: Service): Side => ({
            pid,
            load: {
              requests: requestsTo(address, numbersOfCodes, numbers),
              connections: numbers.connections,
              expected: '{"data":',
            },
          })
          const sides = { stats: side(service), bareChecking: side(checking), bare: side(nothing) }
          const length = { rounds: numbers.rounds, ms: numbers.seconds * 1_000, warmUpMs: WARM_UP_MS }
          const results = await runRounds(sides, length, { generator, dataDirectory })
          reportStats(results, { ...numbers, bytes })
        }),
      ),
    )
  })
}

/** Makes a token for each of many apps. The app with a number owns the code with the same number. */
async function makeServerKeys(url: string): Promise<void> {
  await makeManyTokens(url, OPTIONS.codes.most)
  const scopes = `scopes = '{read:referral_codes}'`
  await onDatabase(url, async (client) => {
    await client.query(`update platform.apps set ${scopes}`)
    await client.query(`update platform.app_keys set ${scopes}`)
    await client.query(`update live.access_tokens set ${scopes}`)
  })
}

const path = (code: number) => `/referral_codes/${codeId(code)}/stats`
/** Token n belongs to the app with number n + 1. */
const bearer = (code: number) => ({ Authorization: `Bearer ${tokenText(code - 1)}` })

function requestsTo(address: string, codes: readonly number[], { connections }: { readonly connections: number }) {
  return Array.from({ length: Math.max(codes.length, connections) }, (_, at) => {
    const code = codes[at % codes.length] ?? 2
    return { url: address + path(code), headers: bearer(code) }
  })
}

async function textOf({ address }: Service, code: number) {
  const response = await fetch(address + path(code), { headers: bearer(code) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path(code)} answered ${response.status}: ${text}`)
  return { path: path(code), text }
}
