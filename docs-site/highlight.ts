import MarkdownIt from 'markdown-it'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'

export const { escapeHtml } = new MarkdownIt().utils

/** The name that readers see for the language of a code block. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
}

const THEME = createCssVariablesTheme({ name: 'portico', variablePrefix: '--code-' })
const TOKEN = /^var\(--code-token-([a-z-]+)\)$/

export type Highlight = (code: string, language: string) => string

/** Colours become classes, because the content security policy of the pages forbids style attributes. guides.css colours the classes. */
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
  return (code, language) => (known.has(language) ? highlightedHtml(highlighter, code, language) : escapeHtml(code))
}

/** The highlighter's time limit is off, because on a busy machine the limit would leave lines without colours. */
function highlightedHtml(highlighter: HighlighterCore, code: string, lang: string): string {
  const { tokens } = highlighter.codeToTokens(code, { lang, theme: 'portico', tokenizeTimeLimit: 0 })
  const lines = tokens.map((line) => line.map(({ content, color }) => span(content, color)).join(''))
  return lines.join('\n')
}

function span(content: string, color: string | undefined): string {
  const kind = TOKEN.exec(color ?? '')?.[1]
  return kind === undefined ? escapeHtml(content) : `<span class="t-${kind}">${escapeHtml(content)}</span>`
}
