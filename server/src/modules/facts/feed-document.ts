import type { FactType } from './fact-type.ts'
import { fieldRows } from './field-words.ts'

/** A fact of an example: what is needed to tell it, without the frame. */
export type StageFact = { readonly type: string; readonly data: unknown }

export type FactGroup = {
  readonly heading: string
  /** What the group's examples speak of and none of them makes. */
  readonly stage: readonly StageFact[]
  readonly facts: readonly FactType[]
}

const BEGIN = '<!-- The catalogue below is generated from the code by `npm run generate`; do not edit. -->'
const END = '<!-- End of the catalogue. -->'

/** docs/platform-feed.md with its catalogue made anew; what stands around it is written by hand. */
export function feedDocument(current: string, groups: readonly FactGroup[]): string {
  const [before, rest] = [current.indexOf(BEGIN), current.indexOf(END)]
  if (before === -1 || rest === -1) throw new Error('docs/platform-feed.md has lost the marks of its catalogue')
  return `${current.slice(0, before)}${BEGIN}\n\n${catalogue(groups)}\n${current.slice(rest)}`
}

/** The examples tell one story, a minute apart, in the order of the document. */
const STORY_BEGINS_MS = Date.UTC(2026, 0, 15, 12)
const MINUTE_MS = 60_000

type ExampleFact = StageFact & { readonly id: string; readonly occurred_at: string }

function narrator(): (fact: StageFact) => ExampleFact {
  let told = 0
  return ({ type, data }) => {
    told++
    const occurred_at = new Date(STORY_BEGINS_MS + told * MINUTE_MS).toISOString()
    return { id: `example-${String(told).padStart(3, '0')}`, type, occurred_at, data }
  }
}

function catalogue(groups: readonly FactGroup[]): string {
  const tell = narrator()
  return groups
    .map(({ heading, stage, facts }) =>
      [
        `## ${heading}\n`,
        ...(stage.length === 0 ? [] : [setting(stage.map(tell))]),
        ...facts.map((fact) => section(fact, tell({ type: fact.type, data: fact.example }))),
      ].join('\n'),
    )
    .join('\n')
}

function setting(facts: readonly object[]): string {
  return `What the examples of this chapter speak of:

\`\`\`json
${facts.map((fact) => JSON.stringify(fact)).join('\n')}
\`\`\`
`
}

function section({ type, summary, data }: FactType, example: object): string {
  const rows = fieldRows(data).map(
    ({ field, required, words }) => `| \`${field}\` | ${required ? 'yes' : ''} | ${words.replaceAll('|', '\\|')} |`,
  )
  return `### \`${type}\`

${summary}

| field of \`data\` | required | what it is |
|---|---|---|
${rows.join('\n')}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`
}
