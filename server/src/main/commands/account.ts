import { userInfo } from 'node:os'
import { emailMistake, type FieldMistake, nameMistake, typed } from '#access/accounts/http.ts'
import {
  type AccountRow,
  changeStaffRole,
  disableAccount,
  enableAccount,
  findAccountByEmail,
  inviteToPlatform,
  issueLink,
  listAccounts,
  listStaff,
  openAccount,
  resetFactors,
  showAccount,
} from '#access/accounts/index.ts'
import { PLATFORM_ROLES, type PlatformRole } from '#kernel/caller.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { withoutUnstorable } from '#kernel/text.ts'
import { mailTokens } from '#mail/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import type { Databases, PlatformQueries } from '#system/postgres/database.ts'
import { readCommandLine, UsageError } from '../command-line.ts'
import { type Config, loadConfig, mailSettings } from '../config.ts'
import { embeddedSecret } from '../database-server.ts'
import { signUpSetting } from '../demo.ts'
import { printMessage, runCommand, withDatabases } from './run-command.ts'

const HELP = `Usage:
  npm run account -- create EMAIL --name "Ada Lovelace" [--admin]
  npm run account -- invite EMAIL [--admin]
  npm run account -- list [TEXT]
  npm run account -- link EMAIL|acct_…
  npm run account -- staff [EMAIL|acct_… ROLE]
  npm run account -- grant-admin EMAIL|acct_…
  npm run account -- revoke-admin EMAIL|acct_…
  npm run account -- reset-factors EMAIL|acct_…
  npm run account -- disable EMAIL|acct_…
  npm run account -- enable EMAIL|acct_…

The accounts with which people sign in (docs/accounts.md). The command works whether the service is running or not. No password is
ever printed: a person sets one with a link, which works once. Only links and the tables of list and staff are written to stdout.

  create        make an account and print a link to set its password, valid for 24 hours
  invite        print a link with which the person makes the account, valid for 14 days; it is mailed too if mail is set up
  list          the newest 100 accounts, or those whose address or name starts with TEXT
  link          print a link that signs one browser in, valid for 15 minutes
  staff         list the platform's staff, or give an account a ROLE: viewer, support, compliance, admin,
                or none, which removes the role
  grant-admin   the same as staff … admin; revoke-admin the same as staff … none
  reset-factors remove the authenticator app, passkeys and recovery codes of a person who lost them, and notify the person by mail
  disable       sign an account out everywhere and reject its sign-ins; enable allows them again

  --name NAME   the person's name
  --admin       with the staff role admin
  --help        print this

Examples:

  npm run account -- create ada@example.org --name "Ada Lovelace" --admin
  LINK=$(npm run --silent account -- link ada@example.org)
  npm run account -- list ada
  npm run account -- staff ada@example.org compliance
`

/** The audit names the shell user, because no account is signed in here. */
const actor = () => `shell:${userInfo().username}`.slice(0, 100)

type Work = (databases: Databases, config: Config) => Promise<void>

/** Arguments are parsed before the database is opened, so that a mistyped command does not start an embedded database. */
export function readArguments(argv: readonly string[]): Work {
  const { values, positionals } = readCommandLine(argv, { name: { type: 'string' }, admin: { type: 'boolean' } }, HELP)
  const [verb = '', target, ...rest] = positionals
  if (verb === 'staff') return staffWork(target, rest)
  if (rest.length > 0) throw new UsageError('Name exactly one account.', HELP)
  const { name, admin = false } = values
  if (verb === 'list') return (databases) => list(databases, target ?? null)
  if (target === undefined)
    throw new UsageError('The first argument is a command, the second an address or an id.', HELP)
  switch (verb) {
    case 'create':
      if (name === undefined) throw new UsageError('An account needs a --name.', HELP)
      return createWork({ email: typed(target), name: typed(name), admin })
    case 'invite':
      return inviteWork({ email: typed(target), admin })
    case 'link':
      return (databases, config) => link(databases, config, target)
    case 'grant-admin':
      return (databases) => setStaffRole(databases, target, 'admin')
    case 'revoke-admin':
      return (databases) => setStaffRole(databases, target, null)
    case 'reset-factors':
      return (databases, config) => reset(databases, config, target)
    case 'disable':
      return (databases) => setDisabled(databases, target, true)
    case 'enable':
      return (databases) => setDisabled(databases, target, false)
    default:
      throw new UsageError(`There is no command ${JSON.stringify(verb)}.`, HELP)
  }
}

type Invited = { readonly email: string; readonly admin: boolean }
type Wanted = Invited & { readonly name: string }

function createWork(wanted: Wanted): Work {
  rejectMistakes([...emailMistake(wanted.email), ...nameMistake(wanted.name)])
  return (databases, config) => create(databases, config, wanted)
}

function inviteWork(invited: Invited): Work {
  rejectMistakes(emailMistake(invited.email))
  return (databases, config) => invite(databases, config, invited)
}

/** The same rules and messages as on the pages where people enter these values. */
function rejectMistakes([first]: readonly FieldMistake[]): void {
  if (first !== undefined) throw new UsageError(first.message, HELP)
}

/** The address where `npm start` would listen. For another port or host name the operator sets PORTICO_BASE_URL. */
const originOf = ({ baseUrl, host, port }: Config) =>
  baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Only the link is written to stdout, so that LINK=$(npm run --silent account -- link …) contains nothing else. */
const print = (link: string) => process.stdout.write(`${link}\n`)

async function create({ platform }: Databases, config: Config, { email, name, admin }: Wanted): Promise<void> {
  const { account, path } = await platform.transaction(async (tx) => {
    const made = await openAccount(tx, { email, name, passwordHash: null, users: {} }, actor())
    if (admin) await changeStaffRole(tx, made.id, { role: 'admin', actor: actor() })
    const issued = await issueLink(tx, made.id, { purpose: 'set_password', actor: actor() })
    return { account: made, path: issued.path }
  })
  printMessage(
    `Made account ${account.id} for ${email}${admin ? ', an administrator' : ''}. The link sets its password, once, within 24 hours:\n`,
  )
  print(originOf(config) + path)
}

async function invite({ platform }: Databases, config: Config, { email, admin }: Invited): Promise<void> {
  const secret = config.secret ?? (await embeddedSecret(config.dataDirectory))
  const isMailed = mailSettings(config) !== null
  const parts = {
    mailTokens: mailTokens(keyring(secret, config.previousSecrets)('mail-links')),
    origin: () => originOf(config),
    platformName: config.platformName,
    settings: { signUp: signUpSetting(config), mail: isMailed },
  }
  const invited = { email, staffRole: admin ? ('admin' as const) : null, actor: actor() }
  const { url } = await platform.transaction((tx) => inviteToPlatform(tx, parts, invited))
  const mail = isMailed ? 'A mail with it is being sent.' : 'Mail is not configured, so send the link yourself.'
  printMessage(`Invited ${email}${admin ? ' as an administrator' : ''}. ${mail} The link works once, within 14 days:\n`)
  print(url)
}

async function link({ platform }: Databases, config: Config, target: string): Promise<void> {
  const { path } = await platform.transaction(async (tx) => {
    const { id } = await find(tx, target)
    return issueLink(tx, id, { purpose: 'sign_in', actor: actor() })
  })
  printMessage('The link signs one browser in, once, within 15 minutes:\n')
  print(originOf(config) + path)
}

function staffWork(target: string | undefined, [word, ...rest]: readonly string[]): Work {
  if (target === undefined) return listStaffOf
  const role = PLATFORM_ROLES.find((each) => each === word)
  if (rest.length > 0 || (role === undefined && word !== 'none')) {
    throw new UsageError(`Name one account and its role: ${PLATFORM_ROLES.join(', ')} or none.`, HELP)
  }
  return (databases) => setStaffRole(databases, target, role ?? null)
}

async function setStaffRole({ platform }: Databases, target: string, role: PlatformRole | null): Promise<void> {
  const account = await platform.transaction(async (tx) => {
    const { id } = await find(tx, target)
    return changeStaffRole(tx, id, { role, actor: actor() })
  })
  printMessage(
    `${account.email} (${account.id}) has ${role === null ? 'no staff role' : `the staff role ${role}`} now.`,
  )
  if (role !== null) printMessage('The role works once the person has a second factor and signs in with it.')
}

const STAFF_MAX = 1_000

async function listStaffOf({ platform }: Databases): Promise<void> {
  const staff = await listStaff(platform.reads, { after: '', limit: STAFF_MAX })
  const rows = staff.map(({ id, email, staff_role, has_factor, disabled_at }) => [
    ...[id, email, staff_role, has_factor ? 'has a second factor' : 'no second factor'],
    disabled_at === null ? 'active' : 'disabled',
  ])
  printTable([['ID', 'EMAIL', 'ROLE', 'FACTOR', 'STATE'], ...rows])
}

/**
 * For a person who lost their phone, if no one else can reset their factors. The person's password and other ways to
 * sign in stay.
 */
async function reset({ platform }: Databases, config: Config, target: string): Promise<void> {
  const origin = () => originOf(config)
  const account = await platform.transaction(async (tx) => {
    const { id } = await find(tx, target)
    await resetFactors(tx, { account: id, origin }, actor())
    return showAccount(tx, id)
  })
  printMessage(`${account.email} (${account.id}) no longer has an authenticator app, passkey or recovery code.`)
  if (!account.has_password && account.issuers.length === 0) {
    printMessage('It has no password either. Print a sign-in link with: npm run account -- link.')
  }
}

async function setDisabled({ platform }: Databases, target: string, isDisabled: boolean): Promise<void> {
  const change = isDisabled ? disableAccount : enableAccount
  const account = await platform.transaction(async (tx) => change(tx, (await find(tx, target)).id, actor()))
  printMessage(`${account.email} (${account.id}) is ${isDisabled ? 'disabled and signed out everywhere' : 'enabled'}.`)
}

async function find(queries: PlatformQueries, target: string): Promise<{ readonly id: Id<'account'> }> {
  const id = parseId('account', target)
  if (id !== null) return showAccount(queries, id)
  const account = await findAccountByEmail(queries, target.trim())
  if (account === null) throw new UsageError(`No account has the address ${JSON.stringify(target)}.`, HELP)
  return account
}

const LIST_MAX = 100

async function list({ platform }: Databases, search: string | null): Promise<void> {
  const accounts = await listAccounts(platform.reads, { before: null, limit: LIST_MAX, search })
  const rows = [['ID', 'EMAIL', 'NAME', 'STAFF', 'STATE', 'CREATED'], ...accounts.map(cells)]
  printTable(rows)
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}

/** One line for each account. Old names may contain characters that are rejected today. */
function cells({ id, email, name, staff_role, disabled_at, created_at }: AccountRow): string[] {
  const line = withoutUnstorable(name).replace(/\s+/gu, ' ')
  return [id, email, line, staff_role ?? '-', disabled_at === null ? 'active' : 'disabled', created_at.slice(0, 10)]
}

if (import.meta.main) {
  await runCommand(async (argv) => {
    const work = readArguments(argv)
    const config = loadConfig()
    await withDatabases(config, (databases) => work(databases, config))
    return 0
  })
}
