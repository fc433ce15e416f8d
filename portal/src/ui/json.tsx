import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows a value as JSON with colours, and a button that copies it. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <figure className="json">
      <CopyButton value={text} label={`Copy: ${label}`} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{colouredParts(text)}</code>
        </pre>
      </section>
    </figure>
  )
}

function colouredParts(text: string): readonly ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match
    parts.push(text.slice(end, match.index))
    const kind =
      string === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'string' : 'name'
    parts.push(
      <span key={match.index} className={`json-${kind}`}>
        {whole}
      </span>,
    )
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}
