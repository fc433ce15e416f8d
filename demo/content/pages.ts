import type { CompanyStory } from './story.ts'

/** A company's story in HTML, as its editor would save it: with headings, a list, a picture, a link, a footnote and maybe a video. */
export function pitchHtml(story: CompanyStory, { logo, video }: { logo: string; video: boolean }): string {
  const { name, tagline, about, product } = story
  return [
    `<h2>${escapeMarkup(tagline)}</h2>`,
    `<p>${escapeMarkup(about)}</p>`,
    `<figure><img src="${logo}" alt="The mark of ${escapeMarkup(name)}"></figure>`,
    video ? `<iframe src="https://www.youtube.com/embed/demo-${story.slug}"></iframe>` : '',
    '<h3>What we sell</h3>',
    `<p>Customers pay us for <strong>${escapeMarkup(product)}</strong>, and most of them order again.<sup><a href="#fn1">1</a></sup> ` +
      `<a href="/sandbox/c/${story.slug}">Our page</a> shows who they are.</p>`,
    '<h3>What the money is for</h3>',
    '<ol><li>Two people who sell and two who build</li><li>Material for the orders we have signed</li>' +
      '<li>Half a year of rent and insurance</li></ol>',
    '<h3>What can go wrong</h3>',
    '<p>Suppliers may deliver late, a large customer may leave, and we may need longer than we plan. ' +
      'The disclosures list all risks we know of.</p>',
    '<p id="fn1">Orders of the last twelve months, counted by our accountants.</p>',
  ].join('\n')
}

export const PITCH_TITLES: readonly ((story: CompanyStory) => string | null)[] = [
  ({ name }) => `Why we started ${name}`,
  ({ tagline }) => tagline,
  () => null,
]

/** The text below a memo that the platform wrote without the company. */
export const MEMO_DISCLAIMER =
  'This memo was prepared by the platform from public sources. The company has not written, reviewed or approved it.'

type PostPlan = {
  readonly kind: 'update' | 'note' | 'spotlight'
  readonly title: (story: CompanyStory) => string
  readonly html: (story: CompanyStory) => string
  readonly visibility: 'public' | 'investors' | 'community' | 'founders' | 'private'
}

export const POSTS: readonly PostPlan[] = [
  {
    kind: 'update',
    title: () => 'What happened this quarter',
    html: ({ name, product }) =>
      `<p>Three months in numbers: orders for ${escapeMarkup(product)} are up by a fifth, returns are down to two.</p>` +
      `<ul><li>We signed our largest customer so far</li><li>We hired a head of operations</li></ul>` +
      `<p>Thank you for following ${escapeMarkup(name)}.</p>`,
    visibility: 'public',
  },
  {
    kind: 'note',
    title: () => 'A delay, and what we do about it',
    html: ({ product }) =>
      `<p>A supplier will deliver five weeks late. We have written to every buyer who waits for ${escapeMarkup(product)}.</p>` +
      '<p>We have ordered from a second supplier and expect to be back on time next month.</p>',
    visibility: 'public',
  },
  {
    kind: 'update',
    title: () => 'Report to our investors',
    html: () =>
      '<h3>Cash</h3><p>We have fourteen months of runway at the present burn.</p>' +
      '<h3>Margin</h3><p>Gross margin has risen by three points since we make the parts ourselves.</p>' +
      '<p>Please do not share these figures before the annual report is filed.</p>',
    visibility: 'investors',
  },
  {
    kind: 'spotlight',
    title: ({ town }) =>
      `In the paper of ${town.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase())}`,
    html: ({ name }) =>
      `<p>The local paper visited ${escapeMarkup(name)} for a day. They liked the coffee and the machines.</p>`,
    visibility: 'public',
  },
  {
    kind: 'note',
    title: () => 'Come and see us',
    html: () =>
      '<p>Followers and investors are invited to the workshop on the last Friday of the month, from 2 p.m.</p>',
    visibility: 'community',
  },
  {
    kind: 'note',
    title: () => 'Draft: next quarter',
    html: () => '<p>Figures to be checked before this goes out.</p>',
    visibility: 'private',
  },
]

export const PERKS: readonly (readonly [units: number, description: string])[] = [
  [250, 'A letter of thanks and early news.'],
  [1_000, 'The above, and a tenth off everything we sell, for two years.'],
  [5_000, 'The above, and a day with the team in the workshop.'],
]

/** The text of each perk of an offering whose perks are described only in the story of the company. */
export const POINTING_PERK = 'See the story above for what you get.'

export const RISKS: readonly ((story: CompanyStory) => string)[] = [
  ({ name }) => `${name} has a short history. Its results so far say little about those to come.`,
  ({ product }) => `The cost of making ${product} depends on prices that the company does not control.`,
  () => 'The company depends on two suppliers. If one of them fails, deliveries stop for weeks.',
  () => 'A large customer accounts for more than a tenth of revenue and can leave with three months’ notice.',
  () => 'The company will need more money than this round raises. It may not find it, or only on worse terms.',
  () => 'The securities cannot be sold easily, and there may never be a market for them.',
]

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

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
      'We publish both in the financial statements below. A little more than half of the price is material and labour, a ' +
      'tenth is delivery, and the rest pays for everyone in the office.',
    reply: 'Thank you, that is more than most companies here would say.',
  },
  {
    question: () => 'What happens to us small investors if you are bought next year?',
    answer: () =>
      'The documents decide that: all stakes of this round are converted or paid out on the same terms. Read the fourth ' +
      'paragraph of the contract, which you see before you confirm.',
  },
  {
    question: ({ name }) => `Who at ${name} has done this before?`,
    answer: () =>
      'Two of us have run a company of this kind for other owners, one of us has closed one down. We learned more from ' +
      'closing it. The team page says who did what and when.',
    reply: 'I worked with one of them years ago, and I would do so again.',
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
    reply: 'What happens after that? Would your investors give you a loan?',
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
  'I invest twice as much as in your first round.',
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
