/** A code sample of the reference, as a reader copies it from the page. */
export type ShownSample = { readonly operation: string; readonly language: string; readonly text: string }

export type SampleLanguage = 'curl' | 'sdk' | 'fetch' | 'python' | 'ruby'
export const SAMPLE_LANGUAGES: readonly SampleLanguage[] = ['curl', 'sdk', 'fetch', 'python', 'ruby']

const SECTION = '<section class="operation" id="op-'
const SAMPLE = /<pre [^>]*data-language="(\w+)"[^>]*><code>(.*?)<\/code><\/pre>/gs

/**
 * Returns all samples of a page, each with the operation of its section. A sample before the first operation gets ''.
 */
export function samplesOf(page: string): readonly ShownSample[] {
  return page.split(SECTION).flatMap((section, at) => {
    const operation = at === 0 ? '' : (/^\w+/.exec(section)?.[0] ?? '')
    return [...section.matchAll(SAMPLE)].map(([, language = '', text = '']) => ({
      ...{ operation, language },
      text: shownText(text),
    }))
  })
}

/** Returns the text that a browser shows for a piece of markup. */
export function shownText(markup: string): string {
  const text = markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
