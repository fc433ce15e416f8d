import type { Answer } from './client.ts'
import { codeOf } from './play-partner.ts'
import type { Stage } from './stage.ts'

type Move = (noun: string, path: string, name: string, body?: unknown) => Promise<Answer>

/** Returns the last part of a move's path: `change_amount` for `ChangeAmount`. */
const asPath = (name: string) => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase()

function moverOf({ client, tokens }: Stage): Move {
  return (noun, path, name, body) =>
    client.call(`sandbox${noun}${name}`, 'POST', `/sandbox/${path}${name === 'Create' ? '' : `/${asPath(name)}`}`, {
      bearer: tokens.developer,
      ...(body === undefined ? {} : { body }),
    })
}

/**
 * Causes the changes that the host platform would report, and moves the clock. The changes use the developer's token, and
 * the clock needs the operator key.
 */
export async function playSandbox(stage: Stage): Promise<void> {
  const { client, tokens, operator, own } = stage
  const move = moverOf(stage)
  await client.call('readSandboxClock', 'GET', '/sandbox/clock', { bearer: tokens.developer })
  const forward = { body: { advance: 'PT1S' } }
  await client.call('advanceSandboxClock', 'POST', '/sandbox/clock', { ...forward, bearer: operator })
  await client.call('advanceSandboxClock', 'POST', '/sandbox/clock', { ...forward, bearer: tokens.app, status: 403 })
  for (const offering of [own.offering, own.second]) await move('Offering', `offerings/${offering}`, 'Open')
  await moveInvestments(stage, move)
  await moveSessions(stage, move)
  await moveMembers(stage, move)
  await moveJoinSessions(stage, move)
  await move('Offering', `offerings/${own.offering}`, 'Closing')
  await move('Offering', `offerings/${own.offering}`, 'Close')
  await move('Offering', `offerings/${own.second}`, 'Cancel')
  await move('User', `users/${own.users[2]}`, 'Deactivate')
}

async function moveInvestments({ client, tokens, own, unique }: Stage, move: Move): Promise<void> {
  const [one, two] = own.users
  const { offering } = own
  const invest = async (investor: string, amount_cents: number) =>
    (await move('Investment', 'investments', 'Create', { offering, investor, amount_cents })).data.id
  const first = `investments/${await invest(one, 50_000)}`
  await move('Investment', first, 'ChangeAmount', { amount_cents: 75_000 })
  for (const name of ['Hide', 'Unhide', 'Cancel', 'Reinstate', 'VerifyIdentity', 'Sign', 'Pay', 'Confirm', 'Execute']) {
    await move('Investment', first, name)
  }
  const again = { bearer: tokens.developer, status: 409 }
  const executed = await client.call('sandboxInvestmentExecute', 'POST', `/sandbox/${first}/execute`, again)
  client.expect(executed.error.type === 'illegal_transition', `sandboxInvestmentExecute: ${executed.error.type}`)
  await move('Investment', `investments/${await invest(two, 25_000)}`, 'Convert', {})
  const paid = `investments/${await invest(one, 30_000)}`
  for (const name of ['Pay', 'Cancel', 'Refund']) await move('Investment', paid, name)
  await move('Investment', `investments/${await invest(two, 40_000)}`, 'Move', { offering: own.second })
  const visit = { company: own.company, ref: codeOf(unique) }
  await move('User', `users/${two}`, 'Visit', visit)
}

async function moveSessions({ own, unique }: Stage, move: Move): Promise<void> {
  const session = async (name: string) => {
    const body = { offering: own.offering, email: `${name}-${unique}@example.net` }
    return `investment_sessions/${(await move('InvestmentSession', 'investment_sessions', 'Create', body)).data.id}`
  }
  const user = own.users[2]
  const checkout = await session('checkout')
  await move('InvestmentSession', checkout, 'Start', { user })
  await move('InvestmentSession', checkout, 'Abandon')
  await move('InvestmentSession', checkout, 'Resume')
  await move('InvestmentSession', checkout, 'Complete', { user, amount_cents: 100_000 })
  await move('InvestmentSession', await session('cancel'), 'Cancel')
  await move('InvestmentSession', await session('expire'), 'Expire')
}

async function moveMembers({ ids, own, unique }: Stage, move: Move): Promise<void> {
  const syndicate = `syndicates/${ids.syndicate}`
  const invitation = { email: `invited-${unique}@example.com`, name: 'Rosa Marin' }
  await move('Syndicate', syndicate, 'Invite', invitation)
  await move('Syndicate', syndicate, 'Reinvite', invitation)
  const [, , user, other] = own.users
  const apply = async () => `memberships/${(await move('Syndicate', syndicate, 'Apply', { user })).data.id}`
  const member = await apply()
  await move('Membership', member, 'Withdraw')
  await apply()
  await move('Membership', member, 'Decline')
  await apply()
  await move('Membership', member, 'Approve', {})
  await move('Membership', member, 'FailPayment')
  await move('Membership', member, 'Join')
  await move('Membership', member, 'Leave')
  await move('Membership', member, 'Join')
  await move('Membership', member, 'Remove')
  await move('Syndicate', syndicate, 'Invite', { email: `3-${unique}@example.org`, name: 'Person 3' })
  await move('Syndicate', syndicate, 'Join', { user: other })
}

async function moveJoinSessions({ ids, own }: Stage, move: Move): Promise<void> {
  const join = async () => {
    const made = await move('JoinSession', 'join_sessions', 'Create', { syndicate: ids.syndicate })
    return `join_sessions/${made.data.id}`
  }
  const user = own.users[1]
  const rejected = await join()
  await move('JoinSession', rejected, 'SignIn', { user })
  await move('JoinSession', rejected, 'AwaitApproval', { user })
  await move('JoinSession', rejected, 'Reject')
  const joined = await join()
  await move('JoinSession', joined, 'AwaitApproval', { user })
  await move('JoinSession', joined, 'Complete', {})
  await move('JoinSession', await join(), 'Cancel')
  await move('JoinSession', await join(), 'Expire')
  await move('JoinSession', await join(), 'MarkIneligible', { reason: 'jurisdiction', user: own.users[2] })
}
