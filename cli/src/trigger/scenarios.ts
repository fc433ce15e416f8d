import { Failure } from '../failure.ts'
import { newId, type Stage } from './stage.ts'

export type Scenario = {
  readonly about: string
  /**
   * True if the scenario sends facts, or installs the app or revokes its installation: only the host platform may do
   * this.
   */
  readonly needsOperator: boolean
  readonly play: (stage: Stage) => Promise<unknown>
}

/** Events that cannot be triggered, with the reason and what to do instead. */
export const NOT_TRIGGERED: Readonly<Record<string, string>> = {
  'investment.referred':
    'It needs a referral code of the app and a program that the platform grants: see docs/referrals.md.',
  'referral_cohorts.published': 'It happens at the end of a week: run portico clock advance P7D.',
  ...Object.fromEntries(
    ['approved', 'rejected', 'expired', 'executed', 'failed'].map((end) => [
      `intent.${end}`,
      'A person decides an intent on its page: propose one with POST /intents, and open its review_url.',
    ]),
  ),
}

async function createInvestment(stage: Stage): Promise<string> {
  const installation = await stage.installation('company')
  const [offering, investor] = [await stage.offering(installation), await stage.investor(installation)]
  const body = { offering, investor, amount_cents: stage.choices.amountCents }
  return stage.play(`a person invested in ${offering}: {id}`, '/investments', body)
}

type Move = readonly [did: string, move: string, body?: unknown]

/** A scenario that creates an investment and then plays these moves on it. */
function investmentScenario(about: string, ...moves: readonly Move[]): Scenario {
  return {
    about,
    needsOperator: false,
    play: async (stage) => {
      const id = await createInvestment(stage)
      for (const [did, move, body] of moves) await stage.play(did, `/investments/${id}/${move}`, body)
    },
  }
}

function offeringScenario(about: string, ...moves: readonly Move[]): Scenario {
  return {
    about,
    needsOperator: true,
    play: async (stage) => {
      const { target } = await stage.installation('company')
      const id = newId('ofr')
      const security = { type: 'safe', terms: { valuation_cap: '8000000' } }
      await stage.fact('offering.created', { id, company: target.id, currency: 'usd', exemption: 'reg_cf', security })
      stage.did(`the company prepared the offering ${id}`)
      for (const [did, move, body] of moves) await stage.play(did, `/offerings/${id}/${move}`, body)
    },
  }
}

function sessionScenario(about: string, ...moves: readonly Move[]): Scenario {
  return {
    about,
    needsOperator: false,
    play: async (stage) => {
      const installation = await stage.installation('company')
      // The installation's token creates the session, because events of a session go to the app that created it.
      const body = { offering: await stage.offering(installation), user: await stage.investor(installation) }
      const id = await stage.play(
        'the app created the investment session {id}',
        '/investment_sessions',
        body,
        installation,
      )
      for (const [did, move, more] of moves) await stage.play(did, `/investment_sessions/${id}/${move}`, more)
    },
  }
}

function membershipScenario(about: string, ...moves: readonly Move[]): Scenario {
  return {
    about,
    needsOperator: true,
    play: async (stage) => {
      const { target } = await stage.installation('syndicate')
      const user = await stage.newPerson()
      const id = await stage.play('a person applied: membership {id}', `/syndicates/${target.id}/apply`, { user })
      for (const [did, move, body] of moves) await stage.play(did, `/memberships/${id}/${move}`, body)
    },
  }
}

function invitationScenario(about: string, twice: boolean): Scenario {
  return {
    about,
    needsOperator: false,
    play: async (stage) => {
      const { target } = await stage.installation('syndicate')
      const body = { email: `${newId('guest')}@example.com`, name: 'Robin Trigger' }
      await stage.play(`${body.email} was invited`, `/syndicates/${target.id}/invite`, body)
      if (twice) await stage.play('and invited again', `/syndicates/${target.id}/reinvite`, body)
    },
  }
}

function joinSessionScenario(
  about: string,
  ...moves: readonly (readonly [did: string, move: string, body?: (user: string) => object])[]
): Scenario {
  return {
    about,
    needsOperator: true,
    play: async (stage) => {
      const { target } = await stage.installation('syndicate')
      const user = await stage.newPerson()
      const id = await stage.play('a join session was created: {id}', '/join_sessions', { syndicate: target.id })
      for (const [did, move, body] of moves) await stage.play(did, `/join_sessions/${id}/${move}`, body?.(user))
    },
  }
}

const withUser = (user: string) => ({ user })
const PAID: readonly Move[] = [
  ['the investor’s identity was verified', 'verify_identity'],
  ['the investor signed', 'sign'],
  ['the money arrived in escrow', 'pay'],
  ['the investment was confirmed', 'confirm'],
]

/** The events that can be triggered, each with the scenario that causes it. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'investment.created': investmentScenario('a person invests'),
  'investment.amount_changed': investmentScenario('a person invests and changes the amount', [
    'the amount changed',
    'change_amount',
    { amount_cents: 500_000 },
  ]),
  'investment.canceled': investmentScenario('a person invests and cancels', ['the investment was canceled', 'cancel']),
  'investment.reinstated': investmentScenario(
    'a person cancels and comes back',
    ['the investment was canceled', 'cancel'],
    ['the investment was reinstated', 'reinstate'],
  ),
  'investment.converted': investmentScenario('an investment becomes another one', [
    'the investment was converted',
    'convert',
    {},
  ]),
  'investment.executed': investmentScenario('an investment from start to end', ...PAID, [
    'the investment was executed',
    'execute',
  ]),
  'investment.changed': investmentScenario('the published record of an investment changes', [
    'the money arrived in escrow',
    'pay',
  ]),
  'offering.opened': offeringScenario('a new offering opens', ['the offering opened', 'open']),
  'offering.closing': offeringScenario(
    'a new offering opens and closes',
    ['the offering opened', 'open'],
    ['the offering stops', 'closing'],
  ),
  'offering.closed': offeringScenario(
    'a new offering from start to end',
    ['the offering opened', 'open'],
    ['the offering stops', 'closing'],
    ['the offering closed', 'close'],
  ),
  'offering.canceled': offeringScenario(
    'a new offering is canceled',
    ['the offering opened', 'open'],
    ['the offering was canceled', 'cancel'],
  ),
  'investment_session.created': sessionScenario('the app creates an investment session'),
  'investment_session.started': sessionScenario('a person starts a checkout', ['the person began', 'start', {}]),
  'investment_session.completed': sessionScenario(
    'a person completes a checkout',
    ['the person began', 'start', {}],
    ['the person invested', 'complete', { amount_cents: 25_000 }],
  ),
  'investment_session.expired': sessionScenario('a checkout expires', ['the session expired', 'expire']),
  'investment_session.canceled': sessionScenario('a checkout is canceled', ['the session was canceled', 'cancel']),
  'syndicate_member.invited': invitationScenario('an address is invited to a syndicate', false),
  'syndicate_member.reinvited': invitationScenario('an address is invited again', true),
  'syndicate_member.applied': membershipScenario('a person applies to a syndicate'),
  'syndicate_member.approved': membershipScenario('a manager approves a person', ['a manager approved', 'approve', {}]),
  'syndicate_member.joined': membershipScenario('a person becomes a member', ['a manager approved', 'approve', {}]),
  'syndicate_member.left': membershipScenario(
    'a member leaves',
    ['a manager approved', 'approve', {}],
    ['the member left', 'leave'],
  ),
  'syndicate_member.declined': membershipScenario('a manager declines a person', ['a manager declined', 'decline']),
  'join_session.pending_approval': joinSessionScenario('a person finishes the join form', [
    'the form was finished',
    'await_approval',
    withUser,
  ]),
  'join_session.completed': joinSessionScenario(
    'a person joins by the form',
    ['the form was finished', 'await_approval', withUser],
    ['a manager approved', 'complete', () => ({})],
  ),
  'join_session.rejected': joinSessionScenario(
    'a manager rejects a person',
    ['the form was finished', 'await_approval', withUser],
    ['a manager rejected', 'reject'],
  ),
  'join_session.ineligible': joinSessionScenario('a person cannot join', [
    'the person is not eligible',
    'mark_ineligible',
    (user) => ({ reason: 'jurisdiction', user }),
  ]),
  'join_session.canceled': joinSessionScenario('a join session is canceled', ['the session was canceled', 'cancel']),
  'join_session.expired': joinSessionScenario('a join session expires', ['the session expired', 'expire']),
  'installation.created': {
    about: 'the app is installed on another company of the demo',
    needsOperator: true,
    play: installOnAnotherCompany,
  },
  'installation.revoked': {
    about: 'an installation on another company of the demo is revoked',
    needsOperator: true,
    play: async (stage) => {
      await revoke(stage, await installOnAnotherCompany(stage))
    },
  },
}

/**
 * Installs the app on a company of the demo's editor, so that the installation of the other scenarios does not change.
 * Fails without a demo: every company with the app then has an installation that a person made, and a trigger must not
 * revoke such an installation.
 */
async function installOnAnotherCompany(stage: Stage): Promise<string> {
  const editor = stage.connection.parts.demo?.people.editor
  const used = stage.connection.parts.demo?.ids['company']
  const company = editor?.companies.find((id) => id !== used)
  if (editor === undefined || company === undefined) throw needsDemo(stage)
  const there = (await stage.installations()).find(({ target }) => target.id === company)
  if (there !== undefined) await revoke(stage, there.id)
  return (await stage.install('company', { id: company, user: editor.id, by: editor.name })).id
}

function needsDemo({ connection }: Stage): Failure {
  const { clientId } = connection.serverKey()
  return new Failure(
    'portico trigger causes installation.created and installation.revoked only with the keys of a demo.',
    {
      type: 'no_demo',
      remedy: `Install the app at ${connection.baseUrl}/apps/${clientId}/install, or revoke an installation of your choice with portico operator revoke.`,
    },
  )
}

async function revoke(stage: Stage, id: string): Promise<void> {
  await stage.connection.client('operator').delete('/platform/installations/{id}', { path: { id } })
  stage.did(`the platform revoked ${id}`)
}
