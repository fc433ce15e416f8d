import { randomBytes } from 'node:crypto'
import { type Api, ConflictError } from '@portico/sdk'
import { type Connection, looseOf } from '../connection/connection.ts'
import { EXIT, Failure } from '../failure.ts'

export type CausedEvent = { readonly id: string; readonly event: string; readonly occurred_at: string }
type Installation = Api.Installation
export type TargetType = 'company' | 'syndicate'

/** One step of a scenario, and the events that it caused. */
export type Step = { readonly did: string; readonly events: readonly CausedEvent[] }

type MoveResponse = {
  readonly data: { readonly id: string }
  readonly meta?: { readonly events?: readonly CausedEvent[] }
}

export type Choices = {
  readonly offering: string | undefined
  readonly investor: string | undefined
  readonly amountCents: number
}

/** Gives a scenario people, companies and moves of the sandbox, and records each move as a step. */
export class Stage {
  readonly connection: Connection
  readonly choices: Choices
  readonly steps: Step[] = []
  readonly #onStep: (step: Step) => void

  constructor(connection: Connection, choices: Choices, onStep: (step: Step) => void) {
    this.connection = connection
    this.choices = choices
    this.#onStep = onStep
  }

  did(did: string, events: readonly CausedEvent[] = []): void {
    const step = { did, events }
    this.steps.push(step)
    this.#onStep(step)
  }

  /** Plays a move of the sandbox and returns the id of its record. */
  async play(did: string, path: string, body?: unknown, on?: Installation): Promise<string> {
    const client = on === undefined ? this.connection.loose('sandbox') : looseOf(this.connection.onInstallation(on.id))
    const { data, meta } = await client.post<MoveResponse>(`/sandbox${path}`, body === undefined ? {} : { body })
    this.did(did.replace('{id}', data.id), meta?.events ?? [])
    return data.id
  }

  /** Returns the app's installation on a company or a syndicate. In the demo, installs the app if it is not installed. */
  async installation(type: TargetType): Promise<Installation> {
    const installed = (await this.installations()).filter(({ target }) => target.type === type)
    const demoTarget = this.#demoTarget(type)
    const existing = installed.find(({ target }) => target.id === demoTarget?.id) ?? installed[0]
    if (existing !== undefined) return existing
    if (demoTarget === null) throw this.#notInstalled(type)
    return await this.install(type, demoTarget)
  }

  async installations(): Promise<readonly Installation[]> {
    const all = await this.connection.client('server').list('/installations').toArray()
    return all.filter(({ status }) => status === 'active')
  }

  async install(type: TargetType, { id, user, by }: DemoTarget): Promise<Installation> {
    const body = { client_id: this.connection.serverKey().clientId, target_type: type, target_id: id, user }
    try {
      const { data, meta } = await this.connection.client('operator').post('/sandbox/installations', { body })
      const app = this.connection.parts.app?.name ?? 'the app'
      this.did(`${by} installed ${app} on ${data.target.name ?? data.target.id} (${data.id})`, meta.events)
      return data
    } catch (error) {
      // Another command installed the app at the same moment.
      if (!(error instanceof ConflictError) || error.type !== 'already_installed') throw error
      const found = (await this.installations()).find(({ target }) => target.id === id)
      if (found === undefined) throw error
      return found
    }
  }

  /** Returns the offering that the person chose, or else an open offering of the company. */
  async offering({ id, target }: Installation): Promise<string> {
    const { demo } = this.connection.parts
    const chosen =
      this.choices.offering ?? (target.id === demo?.ids['company'] ? demo?.ids['offering_public'] : undefined)
    if (chosen !== undefined) return chosen
    const path = { company_id: target.id }
    const rows = await this.connection.onInstallation(id).list('/companies/{company_id}/fundraises', { path }).toArray()
    const open = rows.find(({ attributes }) => attributes.status === 'open')
    if (open !== undefined) return open.id
    throw new Failure(`${target.name ?? target.id} has no open offering.`, {
      exit: EXIT.notFound,
      type: 'no_offering',
      remedy: 'Name one with --offering, or run portico trigger offering.opened first.',
    })
  }

  /** Returns the user that the person chose, or else a user who can invest. */
  async investor({ id }: Installation): Promise<string> {
    const chosen = this.choices.investor ?? this.connection.parts.demo?.people.investor.id
    if (chosen !== undefined) return chosen
    const [first] = await this.connection.onInstallation(id).list('/investments').toArray({ max: 1 })
    const found = first?.investor?.id
    if (found !== undefined) return found
    throw new Failure('There is no person who could invest.', {
      exit: EXIT.notFound,
      type: 'no_investor',
      remedy: 'Name one with --investor usr_….',
    })
  }

  /** Sends a fact as the host platform does, for changes that the sandbox has no move for. */
  async fact(type: string, data: object): Promise<void> {
    const client = this.connection.client('operator')
    const { data: clock } = await client.get('/sandbox/clock')
    const fact = { id: `portico-cli-${randomBytes(12).toString('hex')}`, type, occurred_at: clock.now, data }
    type Results = { readonly data: readonly { readonly error?: { readonly message?: string } }[] }
    const { data: results } = await looseOf(client).post<Results>('/platform/facts', { body: [fact] })
    const [error] = results.flatMap((result) => (result.error === undefined ? [] : [result.error]))
    if (error !== undefined) throw new Failure(`The service rejected the fact ${type}: ${error.message}`)
  }

  async newPerson(): Promise<string> {
    const id = newId('usr')
    await this.fact('user.registered', { id, name: 'Robin Trigger', email: `${id.toLowerCase()}@example.com` })
    return id
  }

  /** Returns a company or syndicate of the demo on which the app can be installed. */
  #demoTarget(type: TargetType): DemoTarget | null {
    const { demo } = this.connection.parts
    if (demo === null) return null
    const { founder, manager } = demo.people
    const id =
      type === 'company'
        ? (demo.ids['company'] ?? founder.companies[0])
        : (demo.ids['syndicate'] ?? manager.syndicates[0])
    const person = type === 'company' ? founder : manager
    return id === undefined ? null : { id, user: person.id, by: person.name }
  }

  #notInstalled(type: TargetType): Failure {
    const { clientId } = this.connection.serverKey()
    return new Failure(`The app is installed on no ${type} in the sandbox, so it gets no events.`, {
      type: 'not_installed',
      remedy: `Install it: ${this.connection.baseUrl}/apps/${clientId}/install`,
    })
  }
}

export type DemoTarget = { readonly id: string; readonly user: string; readonly by: string }

/** Creates an id in the service's format: the prefix and 24 letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
