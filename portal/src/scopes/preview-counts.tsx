import type { Schemas } from '../api/client.ts'

type InMode = Schemas['ScopePreviewInMode']
export type PreviewModes = { readonly test: InMode; readonly live: InMode }

type Line = { readonly label: string; readonly count: (mode: InMode) => { before: number; after: number } }

const LINES: readonly Line[] = [
  { label: 'Installations', count: ({ installations }) => installations },
  { label: 'Access tokens', count: ({ access_tokens }) => access_tokens },
  { label: 'Refresh tokens', count: ({ refresh_tokens }) => refresh_tokens },
  { label: 'Webhook endpoints', count: ({ endpoints }) => endpoints },
]

/** A table with the counts before and after the change, and a sentence for each effect of the change. */
export function PreviewCounts({ modes }: { readonly modes: PreviewModes }) {
  const sentences = [...sentencesFor('test', modes.test), ...sentencesFor('live', modes.live)]
  return (
    <div className="preview">
      <table className="preview-table">
        <caption className="unseen">Before and after the change</caption>
        <thead>
          <tr>
            <th scope="col">In force</th>
            <th scope="col" className="end">
              Test
            </th>
            <th scope="col" className="end">
              Live
            </th>
          </tr>
        </thead>
        <tbody>
          {LINES.map(({ label, count }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="end">
                <Counts {...count(modes.test)} />
              </td>
              <td className="end">
                <Counts {...count(modes.live)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sentences.length > 0 && (
        <ul className="preview-sentences">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Counts({ before, after }: { readonly before: number; readonly after: number }) {
  if (before === after) return <>{before}</>
  return (
    <>
      {before} <span aria-hidden="true">→</span>
      <span className="unseen"> before, after </span> <strong>{after}</strong>
    </>
  )
}

const countWords = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function sentencesFor(mode: 'test' | 'live', { installations, endpoints }: InMode): readonly string[] {
  const where = `in ${mode} mode`
  const lines: readonly (readonly [count: number, text: string])[] = [
    [
      installations.disconnected,
      `${countWords(installations.disconnected, 'installation')} ${where} would have no scope left and end.`,
    ],
    [
      installations.narrowed,
      `${countWords(installations.narrowed, 'installation')} ${where} would lose a scope and keep others.`,
    ],
    [
      installations.lacking_added,
      `${countWords(installations.lacking_added, 'installation')} ${where} would lack what you add until people consent again.`,
    ],
    [
      endpoints.losing_events,
      `${countWords(endpoints.losing_events, 'webhook endpoint')} ${where} would no longer get some events.`,
    ],
    [
      endpoints.disabled,
      `${countWords(endpoints.disabled, 'webhook endpoint')} ${where} would be disabled with their installation.`,
    ],
  ]
  return lines.flatMap(([count, text]) => (count === 0 ? [] : [text]))
}
