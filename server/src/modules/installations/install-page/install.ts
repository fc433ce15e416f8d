import { ApiError, type ErrorType } from '#kernel/errors.ts'
import type { Because, OnRevoked } from '../because.ts'
import type { Installation } from '../installation.ts'
import { installApp } from '../installing/install-app.ts'
import type { Standing } from '../installing/standing-store.ts'
import { sameScopes } from '../same-scopes.ts'
import { type Answer, away } from './answer.ts'
import { type ArriveDeps, type Arrived, arrive, type Visit } from './arrive.ts'
import { changesSince } from './changes.ts'
import { choosePage } from './choose-page.ts'
import { confirmPage, offerAt } from './confirm-page.ts'
import type { Frame } from './frame.ts'
import { installAddress } from './install-address.ts'
import { alreadyInstalledPage, installedPage, nothingInstalledPage } from './outcome-pages.ts'
import { setupAnswer } from './setup-answer.ts'

export type InstallPageDeps = ArriveDeps & { readonly onRevoked: readonly OnRevoked[] }

export async function showInstall(deps: InstallPageDeps, visit: Visit): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  if ('answer' in arrival) return arrival.answer
  const { arrived } = arrival
  const { query, targets } = arrived
  const frame = { arrived, brand: deps.brand, csrf: visit.browser.csrf }
  const made = targets.find(({ installation }) => installation !== null && installation.id === query.installed)
  if (made?.installation) return installedPage(frame, made.installation)
  if (query.target !== null) return pageFor(frame, query.target)
  const [only, ...others] = targets
  // With nothing to choose from there is nothing to ask.
  return only?.installation === null && others.length === 0 ? confirmPage(frame, only) : choosePage(frame)
}

function pageFor(frame: Frame, id: string): Answer {
  const target = frame.arrived.targets.find((one) => one.id === id)
  if (target === undefined) return choosePage(frame, true)
  return target.installation === null
    ? confirmPage(frame, target)
    : alreadyInstalledPage(frame, target.installation, false)
}

export type InstallDecision = {
  readonly decision: 'install' | 'cancel'
  readonly target?: string
  /** What the page showed when the button was pressed. */
  readonly tier?: string
  readonly scopes?: string
}

/** An app or a company that changes at every look is busier than people are. */
const LOOKS_MAX = 3

type Deciding = Visit & { readonly body: InstallDecision }

export async function decideInstall(deps: InstallPageDeps, visit: Deciding): Promise<Answer> {
  const { decision, target = '', tier = '', scopes = '' } = visit.body
  for (let look = 0; look < LOOKS_MAX; look++) {
    const arrival = await arrive(deps, withTarget(visit, target))
    if ('answer' in arrival) return arrival.answer
    const { arrived } = arrival
    const frame = { arrived, brand: deps.brand, csrf: visit.browser.csrf }
    if (decision === 'cancel') return canceled(frame)
    const chosen = arrived.targets.find(({ id }) => id === target)
    if (chosen === undefined) return choosePage(frame, true)
    if (chosen.installation !== null) return alreadyInstalledPage(frame, chosen.installation, true)
    const changes = changesSince({ tier, scopes }, chosen, offerAt(arrived, chosen))
    if (changes.length > 0) return confirmPage(frame, chosen, changes)
    const made = await place(deps, { arrived, chosen }, visit.requestId)
    // The next look says what became of the app, the person, or the place.
    if (made !== 'refused') return installed(arrived, made)
  }
  throw new ApiError('unavailable', { public: 'Something is being changed at this moment. Nothing was installed.' })
}

/** Whoever has to sign in first comes back to the place they had chosen. */
function withTarget(visit: Deciding, target: string): Visit {
  const values = new Map(visit.query.values)
  if (target !== '') values.set('target', [target])
  return { ...visit, query: { ...visit.query, values } }
}

/** Thrown to undo an installation that would not be what the person agreed to. */
class NotAsShown extends Error {}

const LOOK_AGAIN: ReadonlySet<ErrorType> = new Set([
  'forbidden',
  'not_found',
  'already_installed',
  'app_suspended',
  'validation_error',
  'nothing_grantable',
  'invalid_token',
])

type Placing = { readonly arrived: Arrived; readonly chosen: Standing }

async function place(deps: InstallPageDeps, placing: Placing, requestId: string): Promise<Installation | 'refused'> {
  const { client, userId } = placing.arrived
  const { chosen } = placing
  const because: Because = { cause: requestId, caused: [], onRevoked: deps.onRevoked }
  const { keyId, appId } = client
  try {
    return await deps.databases[client.world].transaction(async (tx) => {
      const wanted = { keyId, appId, userId, target: chosen, scopes: null, tier: null }
      const { installation } = await installApp(tx, wanted, because)
      const shown = offerAt(placing.arrived, chosen).granted
      if (installation.tier !== chosen.tier || !sameScopes(installation.scopes, shown)) throw new NotAsShown()
      return installation
    })
  } catch (error) {
    if (error instanceof NotAsShown || (error instanceof ApiError && LOOK_AGAIN.has(error.type))) return 'refused'
    throw error
  }
}

function installed({ app, client, query }: Arrived, { id }: Installation): Answer {
  if (app.setupUrl === null) return away(installAddress(client.keyId, { state: query.state, installed: id }))
  return away(setupAnswer(app.setupUrl, { installation_id: id }, query.state))
}

function canceled(frame: Frame): Answer {
  const { app, query } = frame.arrived
  if (app.setupUrl === null) return nothingInstalledPage(frame)
  return away(setupAnswer(app.setupUrl, { error: 'access_denied' }, query.state))
}
