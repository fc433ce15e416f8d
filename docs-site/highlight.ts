import MarkdownIt from 'markdown-it'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'

export const { escapeHtml } = new MarkdownIt().utils

/** Names of the fences' languages, as readers see them. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
}

const THEME = createCssVariablesTheme({ name: 'portico', variablePrefix: '--code-' })
const TOKEN = /^var\(--code-token-([a-z-]+)\)$/

export type Highlight = (code: string, language: string) => string

/** Colours become classes, because the policy of the pages allows no style attributes; guides.css has their colours. */
export async function codeHighlighter(): Promise<Highlight> {
  const highlighter = await createHighlighterCore({
    themes: [THEME],
    langs: [
      import('shiki/langs/bash.mjs'),
      import('shiki/langs/typescript.mjs'),
      import('shiki/langs/javascript.mjs'),
      import('shiki/langs/python.mjs'),
      import('shiki/langs/ruby.mjs'),
      import('shiki/langs/json.mjs'),
      import('shiki/langs/json5.mjs'),
      import('shiki/langs/html.mjs'),
      import('shiki/langs/sql.mjs'),
      import('shiki/langs/http.mjs'),
    ],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  })
  const known = new Set(highlighter.getLoadedLanguages())
  return (code, language) => (known.has(language) ? coloured(highlighter, code, language) : escapeHtml(code))
}

/** The time limit is off, because on a busy machine it would leave lines without colours. */
function coloured(highlighter: HighlighterCore, code: string, lang: string): string {
  const { tokens } = highlighter.codeToTokens(code, { lang, theme: 'portico', tokenizeTimeLimit: 0 })
  const lines = tokens.map((line) => line.map(({ content, color }) => span(content, color)).join(''))
  return lines.join('\n')
}

function span(content: string, color: string | undefined): string {
  const kind = TOKEN.exec(color ?? '')?.[1]
  return kind === undefined ? escapeHtml(content) : `<span class="t-${kind}">${escapeHtml(content)}</span>`
}
