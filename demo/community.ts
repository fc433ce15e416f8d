import type { Id } from '@portico/server/kernel/ids.ts'
import type { DemoCompany, Team } from './companies.ts'
import { CONVERSATIONS, type Conversation } from './content/pages.ts'
import type { Person } from './people.ts'
import { idAgo, type Random, stream } from './random.ts'
import { DAY_MS, HOUR_MS, type Timeline } from './timeline.ts'

type CommunityInput = { readonly people: readonly Person[]; readonly team: Team }

/** Adds questions on the companies’ pages. The team answers most of them, and other people reply to some of the answers. */
export function addConversations(timeline: Timeline, { people, team }: CommunityInput): void {
  const random = stream('conversations')
  for (const [company, members] of team) {
    const answering = members.filter(({ role }) => role !== 'employee').map(({ person }) => person)
    for (const conversation of random.sample(
      CONVERSATIONS,
      random.between(1, 2) + (company.story.rounds.length - 1) * 2,
    )) {
      addConversation({ timeline, company, random }, conversation, { asking: people, answering })
    }
  }
}

type Page = { readonly timeline: Timeline; readonly company: DemoCompany; readonly random: Random }
type Speakers = { readonly asking: readonly Person[]; readonly answering: readonly Person[] }

function addConversation(page: Page, { question, answer, reply }: Conversation, { asking, answering }: Speakers): void {
  const { timeline, company, random } = page
  const since = Math.min(110, company.created - 2)
  const askedAt = timeline.ago(1 + (since - 1) * random.next())
  const disclosed = random.happens(0.3) ? { disclosure_key: 'investor' } : {}
  const questionData = newText(page, { author: random.pick(asking), body: question(company.story), atMs: askedAt })
  timeline.add(askedAt, 'question.asked', { ...questionData, company: company.id, ...disclosed })
  if (random.happens(0.3)) addLikes(page, questionData.id, askedAt)
  if (random.happens(0.15)) return
  const answeredAt = askedAt + random.between(2, 60) * HOUR_MS
  const answerData = newText(page, { author: random.pick(answering), body: answer(company.story), atMs: answeredAt })
  timeline.add(answeredAt, 'comment.posted', { ...answerData, parent: questionData.id }, { referred: [company.id] })
  if (reply === undefined || random.happens(0.5)) return
  const repliedAt = answeredAt + random.between(1, 30) * HOUR_MS
  const replyData = newText(page, { author: random.pick(asking), body: reply, atMs: repliedAt })
  timeline.add(repliedAt, 'comment.posted', { ...replyData, parent: answerData.id }, { referred: [company.id] })
}

type TextDraft = { readonly author: Person; readonly body: string; readonly atMs: number }

function newText({ timeline, random }: Page, { author, body, atMs }: TextDraft) {
  const id = idAgo(random, 'comment', (timeline.nowMs - atMs) / DAY_MS)
  return { id, author: author.id, body }
}

function addLikes({ timeline, company, random }: Page, id: Id<'comment'>, askedAt: number): void {
  const data = { id, likes_count: random.between(1, 14), ...(random.happens(0.5) ? { highlighted: true } : {}) }
  timeline.add(askedAt + 20 * HOUR_MS, 'comment.updated', data, { referred: [company.id] })
}

/** The watchlist of the demo's investor. It includes a company that does not want promotion. */
const WATCHED = [
  'brightkiln',
  'tidewell',
  'plumbline-robotics',
  'hearth-and-hinge',
  'skipjack-ferries',
  'kleinwerk',
  'mendable',
]

/**
 * Adds watchlists. The demo's investor follows `WATCHED`. Each of the other people with a demo role follows two to four
 * companies, and everyone else follows at most three.
 */
export function addFollows(timeline: Timeline, { people, team }: { people: readonly Person[]; team: Team }): void {
  const random = stream('follows')
  const companies = [...team.keys()]
  for (const person of people) {
    const count = person.demoRole === null ? Math.floor(4 * random.next() * random.next()) : random.between(2, 4)
    const watched = person.demoRole === 'investor' ? companies.filter(isWatched) : random.sample(companies, count)
    for (const company of watched) {
      const since = Math.min(118, company.created - 1, person.registered - 1)
      const atMs = timeline.ago(since * random.next())
      const follow = { company: company.id, user: person.id }
      timeline.add(atMs, 'company.followed', follow)
      if (random.happens(0.05)) timeline.add(atMs + random.between(1, 20) * DAY_MS, 'company.unfollowed', follow)
    }
  }
}

function isWatched({ story }: DemoCompany): boolean {
  return WATCHED.includes(story.slug)
}
