import { facts, notice } from '#http/pages/blocks.ts'
import { actions, button, form } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import {
  amountField,
  amountShown,
  type CheckoutAnswer,
  framed,
  instead,
  testButtons,
  type Wrong,
  whereOnward,
  wrongAmount,
  wrongSummary,
} from '#modules/sessions/http.ts'
import { checkoutWords } from '#modules/sessions/index.ts'
import { remaining } from '../link.ts'
import type { Arrived } from './arrive.ts'
import { endOf } from './link-ends.ts'

type Shown = { readonly arrived: Arrived; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The page a link leads to: who invites, what is offered, and the one thing to do next. */
export function invitePage({ arrived, checkoutUrl, wrong }: Shown): CheckoutAnswer {
  const { frame, told, asking, world } = arrived
  const end = endOf(arrived)
  if (end !== null) {
    return framed(frame, { title: end.title, asking, content: html`<h2>${end.title}</h2>${end.content}` })
  }
  const words = checkoutWords(told)
  const content = [
    html`<p>You are invited to this offering of <bdi>${told.companyName}</bdi>. Whether you ${words.verb} is your decision alone: nobody can make it for you.</p>`,
    theirWords(arrived),
    told.told,
    limitOf(arrived),
    ...whatNext(arrived, { checkoutUrl, wrong }),
  ]
  return framed(frame, {
    ...(wrong === undefined ? {} : { status: wrong.status }),
    title: `Invitation to ${told.companyName}`,
    asking,
    first: [wrongSummary(wrong), madeAlready(arrived)],
    content,
    leadsTo: world === 'live' ? checkoutUrl : null,
  })
}

/** Whether one has just come back from it or weeks later, it is the first thing one wants to know. */
function madeAlready({ theirs, told }: Arrived): HtmlValue {
  if (!theirs) return null
  const { done, noun } = checkoutWords(told)
  return notice(html`${done}. The link is for many, and you can use it for another ${noun}.`)
}

type Next = Pick<Shown, 'checkoutUrl' | 'wrong'>

/** Where there is nothing to go on with yet, one can still say no. */
function whatNext(arrived: Arrived, { checkoutUrl, wrong }: Next): readonly HtmlValue[] {
  const other = instead(arrived, checkoutUrl)
  if (other === null) return [next(arrived, wrong)]
  const { found, frame } = arrived
  return [other, found.perPerson && form({ action: frame.address, csrf: frame.csrf, content: actions(NO) })]
}

const NO = button({ label: 'No, thank you', kind: 'secondary', name: 'do', value: 'decline' })

function theirWords({ found: { message }, asking }: Arrived): HtmlValue {
  if (message === null) return null
  const from = asking === null ? 'whoever invites you' : asking.app.organization.name
  return html`<section class="stack"><h2>A message from <bdi>${from}</bdi></h2>${message
    .split('\n')
    .map((line) => html`<p>${line}</p>`)}</section>`
}

function limitOf({ found: link, told }: Arrived): HtmlValue {
  const left = remaining(link)
  const { maxCents, currency } = told
  const rows = [
    maxCents !== null && ([checkoutWords(told).most, amountShown(maxCents, currency)] as const),
    left !== null && (['With this link', html`up to ${amountShown(left, currency)}`] as const),
  ].filter((row) => row !== false)
  return rows.length > 0 && facts(rows)
}

function next(arrived: Arrived, wrong: Wrong | undefined): Html {
  return arrived.world === 'test' && arrived.found.openedAt !== null ? tests(arrived, wrong) : onward(arrived)
}

/** A form and no link: what follows links ahead of people must not open anything. */
function onward(arrived: Arrived): Html {
  const { frame, found } = arrived
  const content = [
    actions(button({ label: 'Continue', name: 'do', value: 'continue' }), found.perPerson && NO),
    whereOnward(arrived),
  ]
  return form({ action: frame.address, csrf: frame.csrf, content })
}

function tests({ frame, told, found: link }: Arrived, wrong: Wrong | undefined): Html {
  const asked = amountField(told, wrongAmount(wrong))
  const others = link.perPerson ? [{ value: 'decline', label: 'decline the invitation' }] : []
  return testButtons({ action: frame.address, csrf: frame.csrf, told, asked, others })
}
