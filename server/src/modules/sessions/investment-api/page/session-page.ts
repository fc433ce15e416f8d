import { facts, notice } from '#http/pages/blocks.ts'
import { actions, button, form } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import { placeWords, returnPlace } from '#http/pages/return-place.ts'
import { amountField, amountShown, rangeWords } from '../../checkout/amount.ts'
import { checkoutWords } from '../../checkout/checkout-words.ts'
import { type Answer, framed } from '../../checkout/frame.ts'
import { instead, whereOnward } from '../../checkout/instead.ts'
import { type TestButton, testButtons } from '../../checkout/test-buttons.ts'
import { type Wrong, wrongAmount, wrongSummary } from '../../checkout/wrong.ts'
import type { FundingStatus, KycStatus } from '../../investment-session.ts'
import type { Arrived } from './arrive.ts'
import { endedPage, isEnded } from './ended-page.ts'

type Shown = { readonly arrived: Arrived; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The one page of a session: what is offered, who asks, and the one thing to do next. */
export function sessionPage({ arrived, checkoutUrl, wrong }: Shown): Answer {
  if (isEnded(arrived)) return endedPage(arrived)
  const { frame, told, asking, found: session, world } = arrived
  const words = checkoutWords(told)
  const content = [
    html`<p>You are asked whether you want to ${words.ask} <bdi>${told.companyName}</bdi>. It is your decision alone: nobody can make it for you.</p>`,
    told.told,
    about(arrived),
    instead(arrived, checkoutUrl) ?? next(arrived, wrong),
  ]
  const leadsTo = world === 'test' ? session.successUrl : checkoutUrl
  return framed(frame, {
    ...(wrong === undefined ? {} : { status: wrong.status }),
    title: `${told.companyName}: your ${words.noun}`,
    asking,
    first: [wrongSummary(wrong), progress(arrived)],
    content,
    leadsTo,
  })
}

function about({ found: session, told }: Arrived): Html {
  const { allocation, expiresAt, now, successUrl } = session
  const amount =
    allocation === null
      ? html`You choose<span class="hint">${rangeWords(told)}</span>`
      : html`${amountShown(allocation, told.currency)}<span class="hint">Fixed for this link.</span>`
  return facts([
    ['Your amount', amount],
    ['This link expires', moment(expiresAt, Date.parse(now))],
    ...(successUrl === null ? [] : [['Afterwards you go to', placeWords(returnPlace(successUrl))] as const]),
  ])
}

/** What the checks came to so far, as the partner reads it too. */
const KYC_WORDS: Readonly<Record<KycStatus, string | null>> = {
  pending: 'Your identity is being checked.',
  passed: null,
  failed: 'Your identity could not be confirmed. You can try again.',
}
const FUNDING_WORDS: Readonly<Record<FundingStatus, string | null>> = {
  pending: 'Your payment is on its way.',
  succeeded: null,
  card_declined: 'Your card was declined. You can try again.',
  insufficient_funds: 'There was not enough money in the account. You can try again.',
}

function next(arrived: Arrived, wrong: Wrong | undefined): Html {
  const testing = arrived.world === 'test' && arrived.found.status === 'in_progress'
  return testing ? tests(arrived, wrong) : onward(arrived)
}

function progress({ found: { kyc, funding } }: Arrived): HtmlValue {
  const said = [kyc === null ? null : KYC_WORDS[kyc], funding === null ? null : FUNDING_WORDS[funding]]
  return said.filter((words) => words !== null).map((words) => notice(words, 'warning'))
}

/** A form and no link: what follows links ahead of people must not begin anything. */
function onward(arrived: Arrived): Html {
  const { found, frame } = arrived
  const label = found.status === 'abandoned' ? 'Continue where you left off' : 'Continue'
  const content = [actions(button({ label, name: 'do', value: 'continue' })), whereOnward(arrived)]
  return form({ action: frame.address, csrf: frame.csrf, content })
}

const OTHERS: readonly TestButton[] = [
  { value: 'card_declined', label: 'card declined' },
  { value: 'insufficient_funds', label: 'insufficient funds' },
  { value: 'identity_failed', label: 'identity check failed' },
]
const LEAVE: TestButton = { value: 'leave', label: 'leave without finishing' }

function tests({ frame, told, found: session }: Arrived, wrong: Wrong | undefined): Html {
  const asked = session.allocation === null && amountField(told, wrongAmount(wrong))
  // Nothing is paid for a reservation, and nobody is checked.
  const others = told.testingTheWaters ? [LEAVE] : [...OTHERS, LEAVE]
  return testButtons({ action: frame.address, csrf: frame.csrf, told, asked, others })
}
