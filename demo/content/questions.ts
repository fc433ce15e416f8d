import type { CompanyStory } from './story.ts'

/** A question that suits every company, and the company's answer. */
export type Conversation = {
  readonly question: (story: CompanyStory) => string
  readonly answer: (story: CompanyStory) => string
  /** Another person's comment on the answer. */
  readonly reply?: string
}

export const CONVERSATIONS: readonly Conversation[] = [
  {
    question: ({ product }) => `What does it cost you to make ${product}, and what do you charge for it?`,
    answer: () =>
      'We publish both in the financial statements below. Roughly: a little over half of the price is material and ' +
      'labour, a tenth is delivery, and the rest has to pay for everybody in the office.',
    reply: 'Thank you, that is more than most companies here would say.',
  },
  {
    question: () => 'What happens to us small investors if you are bought next year?',
    answer: () =>
      'The documents decide, not we: your stake converts or is paid out on the same terms as everybody else’s in this ' +
      'round. The relevant paragraph is the fourth one of the contract you see before you confirm.',
  },
  {
    question: ({ name }) => `Who at ${name} has done this before?`,
    answer: () =>
      'Two of us have run a company of this kind for other owners, one of us has closed one down. We learned more from ' +
      'the second. The team page says who did what and when.',
    reply: 'I worked with one of them years ago. Would do so again.',
  },
  {
    question: ({ product }) => `How long does a customer wait for ${product} today?`,
    answer: () =>
      'Between three and seven weeks, depending on the season. The aim of this round is to bring that under two, because ' +
      'we lose about one order in six to the wait.',
  },
  {
    question: () => 'Who is your largest customer, and how much of your revenue is theirs?',
    answer: () =>
      'We may not name them. They are 18 % of this year’s revenue, down from 41 % two years ago. No other customer is ' +
      'above 7 %.',
  },
  {
    question: ({ town }) =>
      `Why ${town.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase())} and not somewhere cheaper?`,
    answer: () =>
      'Because our suppliers, our first customers and our families are here. Rent is four per cent of our costs.',
  },
  {
    question: () => 'How much runway do you have if this round stops at the minimum?',
    answer: () => 'Eleven months without any growth, fourteen if the two signed contracts start on time.',
    reply: 'And beyond that? A bridge from the existing investors?',
  },
  {
    question: ({ product }) => `Is anything about ${product} patented?`,
    answer: () =>
      'One patent is granted, one is pending. We do not think patents are what protects us: the hard part is the people ' +
      'who know how to do it and the customers who trust them.',
  },
  {
    question: () => 'What keeps you awake at night?',
    answer: () =>
      'Hiring. We can find customers and we can find money, but each of the next four people has to be better than we ' +
      'are at what they do.',
  },
  {
    question: () => 'Do you plan to raise again, and would we be diluted?',
    answer: () =>
      'Yes, in about eighteen months, and yes, as would we. The plan in the filing shows by how much we expect.',
  },
  {
    question: ({ product }) => `What do you do when ${product} fails at the customer’s?`,
    answer: () =>
      'A person drives there, usually the same day. It happened nine times last year. We log every case and read the ' +
      'list aloud on the first Monday of the month.',
    reply: 'I am one of the nine. They came the same afternoon.',
  },
  {
    question: () => 'Can I visit?',
    answer: () =>
      'Gladly, on the last Friday of each month, after two. Write to us first so that there is enough coffee.',
  },
]

/** Messages of investors to a company. */
export const MESSAGES: readonly string[] = [
  'Glad to be part of this.',
  'I have waited two years for a person to do this properly.',
  'My sister works in the trade and says you are the ones to watch.',
  'Small amount, large hopes.',
  'Happy to introduce you to three possible customers.',
  'Met your team at the market last spring; you answered every question.',
  'Please keep the updates as honest as the last one.',
  'Doubling what I put into your first round.',
  'I would like to visit the workshop when I am in town.',
  'For my daughter’s college fund, so no pressure.',
  'The unit costs convinced me.',
  'Let me know if you need hands at the opening.',
  'I read the whole filing. Good luck.',
  'Count me in for the next one as well.',
]

export const ENTITIES: readonly string[] = [
  'Family Trust',
  'Holdings LLC',
  'Ventures LLC',
  'Revocable Trust',
  'Self-Directed IRA',
]
