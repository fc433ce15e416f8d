import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** PostgreSQL does not run as root; Debian's package creates this user. */
const POSTGRES_USER = 'postgres'

type Owner = { readonly uid: number; readonly gid: number } | null

export type Starting = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whether the program runs as PostgreSQL's user if root runs this process. */
  readonly asPostgres?: boolean
  readonly cwd?: string
  /** The signal with which `close()` ends the program. The default is SIGKILL, because everything that the program wrote is removed. */
  readonly endWith?: NodeJS.Signals
}

/** A program in a process group of its own, so that Ctrl-C in a terminal reaches the harness only. The harness then stops the program. */
export type Program = {
  readonly name: string
  readonly pid: number
  readonly ended: Promise<number | NodeJS.Signals | null>
  readonly logFile: string
  hasEnded(): boolean
  /** Sends a signal to all processes of the group. */
  signal(signal: NodeJS.Signals): void
  output(): string
}

/** The temporary folder and the programs of one run. `close()` ends the programs of `start()` and removes the folder. */
export class Machine {
  readonly directory: string
  readonly #owner: Owner
  readonly #opened = new AsyncDisposableStack()
  readonly #closing: Promise<void>[] = []

  private constructor(directory: string, owner: Owner) {
    this.directory = directory
    this.#owner = owner
  }

  static async open(name: string): Promise<Machine> {
    const directory = await mkdtemp(join(tmpdir(), `portico-${name}-`))
    // PostgreSQL's user must be able to enter the folder.
    await chmod(directory, 0o755)
    return new Machine(directory, process.getuid?.() === 0 ? ownerOf(POSTGRES_USER) : null)
  }

  /** A folder that the user of PostgreSQL may write. */
  async folder(name: string): Promise<string> {
    const path = join(this.directory, name)
    await mkdir(path, { recursive: true, mode: 0o700 })
    await this.#give(path)
    return path
  }

  /** A file that the user of PostgreSQL may read. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.directory, name)
    await writeFile(path, text, { mode: 0o600 })
    await this.#give(path)
    return path
  }

  async #give(path: string): Promise<void> {
    if (this.#owner !== null) await chown(path, this.#owner.uid, this.#owner.gid)
  }

  /** Adds work for `close()`. The work that was added last is done first. */
  defer(work: () => Promise<void> | void): void {
    this.#opened.defer(work)
  }

  start(starting: Starting): Program {
    const logFile = join(this.directory, `${starting.name}.log`)
    const child = spawn(starting.command, [...starting.args], { ...this.#options(starting), detached: true })
    const log = createWriteStream(logFile, { flags: 'a' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        log.write(chunk)
        output = (output + chunk.toString()).slice(-OUTPUT_KEPT)
      })
    }
    const program = programOf(child, { name: starting.name, logFile, output: () => output })
    void program.ended.then(() => log.end())
    this.defer(() => endProgram(program, starting.endWith ?? 'SIGKILL'))
    return program
  }

  /** Runs a program until it ends, and returns its standard output. If the program fails, the error has its output. */
  async run(starting: Starting): Promise<string> {
    const { command, args } = starting
    const { stdio: _, ...options } = this.#options(starting)
    const running = promisify(execFile)(command, [...args], { ...options, maxBuffer: OUTPUT_MAX })
    return (await running).stdout
  }

  #options({ env = {}, cwd = this.directory, asPostgres = false }: Starting) {
    const user = asPostgres && this.#owner !== null ? this.#owner : {}
    return {
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: this.directory, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
      ...user,
    }
  }

  /** Copies the programs' output to a folder that `close()` does not remove, and returns its path. */
  async saveLogs(): Promise<string> {
    const kept = await mkdtemp(`${this.directory}-logs-`)
    for (const name of readdirSync(this.directory)) {
      if (name.endsWith('.log')) await copyFile(join(this.directory, name), join(kept, name))
    }
    return kept
  }

  /** Does all the added work, even if some of it fails, and then removes the folder. */
  close(): Promise<void> {
    if (this.#closing.length === 0) {
      this.#closing.push(
        this.#opened.disposeAsync().finally(() => rm(this.directory, { recursive: true, force: true, maxRetries: 5 })),
      )
    }
    return this.#closing[0] ?? Promise.resolve()
  }
}

const OUTPUT_KEPT = 64 * 1024
const OUTPUT_MAX = 64 * 1024 * 1024
const END_WITHIN_MS = 10_000

function programOf(child: ChildProcess, rest: Pick<Program, 'name' | 'logFile' | 'output'>): Program {
  const pid = child.pid ?? -1
  let hasEnded = false
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      hasEnded = true
      resolve(code ?? signal)
    })
  })
  ended.catch(() => {})
  return { ...rest, pid, ended, hasEnded: () => hasEnded, signal: (signal) => signalGroup(pid, signal) }
}

async function endProgram(program: Program, signal: NodeJS.Signals): Promise<void> {
  program.signal(signal)
  // A process that SIGSTOP has frozen handles the signal only when SIGCONT lets it continue.
  program.signal('SIGCONT')
  const isOver = await Promise.race([program.ended.then(() => true), wait(END_WITHIN_MS, false, { ref: false })])
  if (!isOver) program.signal('SIGKILL')
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid > 1) signalProcess(-pid, signal)
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The process and all processes below it, as /proc shows them now. */
export function familyOf(pid: number): readonly number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)))
  }
  const family = [pid]
  for (const each of family) for (const [child, parent] of parents) if (parent === each) family.push(child)
  return family
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return -1
  }
}

function ownerOf(user: string): Owner {
  const idOf = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
