import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../support/http.ts'
import type { Machine, Program } from '../support/machine.ts'

type Member = { readonly name: string; readonly client: string; readonly peer: string; readonly directory: string }

/** Three etcd members, in which Patroni stores which node leads. */
export class Etcd {
  readonly #machine: Machine
  readonly #members: readonly Member[]
  readonly #programs = new Map<string, Program>()

  private constructor(machine: Machine, members: readonly Member[]) {
    this.#machine = machine
    this.#members = members
  }

  static async start(machine: Machine): Promise<Etcd> {
    const members: Member[] = []
    for (const name of ['etcd1', 'etcd2', 'etcd3']) {
      const [client, peer] = [await address(), await address()]
      members.push({ name, client, peer, directory: await machine.folder(name) })
    }
    const etcd = new Etcd(machine, members)
    for (const member of members) etcd.#launch(member)
    await until('etcd is healthy', 60_000, () => etcd.isHealthy())
    return etcd
  }

  get names(): readonly string[] {
    return this.#members.map(({ name }) => name)
  }

  /** The members' addresses in the form of Patroni's configuration. */
  get hosts(): readonly string[] {
    return this.#members.map(({ client }) => new URL(client).host)
  }

  #launch({ name, client, peer, directory }: Member): void {
    const cluster = this.#members.map((each) => `${each.name}=${each.peer}`).join()
    const options = {
      name: name,
      'data-dir': directory,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': cluster,
      'initial-cluster-state': 'new',
      // Patroni uses version 2 of the API. With version 3 it writes the leader's key without comparing the previous value.
      'enable-v2': 'true',
      // A busy machine must not look like a dead member.
      'heartbeat-interval': '300',
      'election-timeout': '3000',
    }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    this.#programs.set(name, this.#machine.start({ name, command: '/usr/bin/etcd', args, asPostgres: true }))
  }

  async kill(name: string): Promise<void> {
    const program = this.#programs.get(name)
    program?.signal('SIGKILL')
    await program?.ended
  }

  startAgain(name: string): void {
    const member = this.#members.find((each) => each.name === name)
    if (member !== undefined) this.#launch(member)
  }

  async isHealthy(): Promise<boolean> {
    const answers = this.#members.map(({ client }) =>
      fetch(`${client}/health`, { signal: AbortSignal.timeout(2_000) }).then(
        (response) => response.ok,
        () => false,
      ),
    )
    return (await Promise.all(answers)).every(Boolean)
  }
}

async function address(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}
