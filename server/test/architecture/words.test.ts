import { describe, expect, test } from 'vitest'
import { formProblems, passagesOf, passagesOfSource, wordProblems } from '../../../scripts/check-words.ts'

const inSource = (source: string) => wordProblems(passagesOfSource('example.ts', source))

describe('the check of words', () => {
  test.each([
    ['Whoever holds it may open it', 'Whoever'],
    ['of somebody else', 'somebody'],
    ['nothing of anybody’s', 'anybody'],
    ['the partner is told', 'is told'],
    ['an event tells of a person', 'tells of'],
    ['a stranger hears 404', 'hears'],
    ['of another company or of none', 'of none'],
    ['seen from the other side', 'the other side'],
    ['installed anew', 'anew'],
    ['kept for ever', 'for ever'],
    ['keeps hearing of it', 'hearing of'],
    ['404 for who is not on the team', 'for who is'],
    ['the page says what became of it', 'became of'],
    ['every change, be it only of a name', 'be it'],
    ['locked first, lest it changes', 'lest'],
    ['rounded without a word', 'without a word'],
    ['the import goes on', 'goes on'],
    ['at most so many at a time', 'so many'],
    ['422 for an address that is none', 'that is none'],
    ['its secret stands in one answer', 'stands in'],
    ['404 for what is no id', 'is no '],
    ['they are no members', 'are no '],
    ['recorded all the same', 'all the same'],
    ['sent once more', 'once more'],
    ['read in vain', 'in vain'],
    ['404 for one that never was', 'that never was'],
    ['a message to nobody', 'to nobody'],
    ['sealed with a key of ours', 'of ours'],
    ['the client retries of its own accord', 'of its own accord'],
  ])('rejects "%s" in a document', (text, phrase) => {
    expect(wordProblems(passagesOf(`First line.\n${text}`))).toEqual([expect.stringContaining(`2: "${phrase}":`)])
  })

  test('finds a phrase in comments, strings and templates, with its line', () => {
    const source = ['// somebody', '/**', ' * whoever', ' */', "test('is told so', run)", '`one is told`']
    expect(inSource(source.join('\n')).map((problem) => problem.split(':')[0])).toEqual(['1', '3', '5', '6'])
  })

  test('finds a phrase in the text of a page', () => {
    const source = 'const page = <p>The other tab goes on.</p>'
    expect(wordProblems(passagesOfSource('page.tsx', source))).toEqual([expect.stringContaining('1: "goes on":')])
  })

  test('ignores quotes from the specification, names, values and SQL columns', () => {
    const source = [
      '// "Whoever installed the app may remove it."',
      'const somebody = heard(whoever)',
      "const state = 'told'",
      '`select 1 where not told.failing`',
    ]
    expect(inSource(source.join('\n'))).toEqual([])
  })

  test('accepts plain sentences', () => {
    expect(wordProblems(passagesOf('There is no demo, and the app is no longer installed.'))).toEqual([])
    expect(wordProblems(passagesOf('Live credentials get 403 sandbox_only. The app receives the event.'))).toEqual([])
  })
})

describe('the check of the form of documents', () => {
  test.each([
    ['Tokens live two hours, and the   response says so.', 'several spaces'],
    ['- They never expired. - Lists contain more.', 'two list items'],
    ['- They never expired. - `GET /intents` accepts it.', 'two list items'],
    ['| run | outcome |\n|---|---|\n20 kills| zero |', 'does not begin with "|"'],
    ['| run | outcome |\n|---|---|\n| 20 kills | zero | 3 |', 'more or fewer cells'],
  ])('rejects %j', (document, fault) => {
    expect(formProblems(document)).toEqual([expect.stringContaining(fault)])
  })

  test('accepts code, tables and dashes between words', () => {
    const document = [
      '```',
      'a   b. - C',
      '```',
      '| a \\| b | `c  d` |',
      '|---|---|',
      '',
      'Ids (`x  y`) - the short ones - are text.',
    ]
    expect(formProblems(document.join('\n'))).toEqual([])
  })
})
