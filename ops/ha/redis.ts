import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../support/http.ts'
import type { Machine, Program } from '../support/machine.ts'

/** Redis, in which all nodes count limits together. It stores nothing on disk. */
export class RedisNode {
  readonly #machine: Machine
  readonly #port: number
  #program: Program

  private constructor(machine: Machine, port: number) {
    this.#machine = machine
    this.#port = port
    this.#program = this.#launch()
  }

  static async start(machine: Machine): Promise<RedisNode> {
    const redis = new RedisNode(machine, await freePort())
    await redis.ready()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`
  }

  #launch(): Program {
    const args = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    return this.#machine.start({ name: 'redis', command: '/usr/bin/redis-server', args })
  }

  async ready(): Promise<void> {
    await until('Redis is ready', 30_000, () => this.#program.output().includes('Ready to accept connections'))
  }

  async kill(): Promise<void> {
    this.#program.signal('SIGKILL')
    await this.#program.ended
  }

  async startAgain(): Promise<void> {
    this.#program = this.#launch()
    await this.ready()
  }
}
