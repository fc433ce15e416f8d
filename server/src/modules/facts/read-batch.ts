import { ApiError, validationError } from '#kernel/errors.ts'
import { pace } from '#system/pace.ts'

export const FACTS_MAX = 1_000
const NDJSON = 'application/x-ndjson'

/**
 * The facts of a request, each still to be judged. What cannot be taken apart into facts is refused as a whole, before
 * any of it is applied: 400 for text that is not JSON, 422 for JSON that is no list of at most 1,000.
 */
export async function readBatch(text: string, contentType: string | undefined): Promise<readonly unknown[]> {
  if (text === '') throw notJson('The request has no body: send a list of facts.')
  const isLines = contentType?.trim().toLowerCase().startsWith(NDJSON) ?? false
  const facts = isLines ? await readLines(text) : readList(text)
  if (facts.length > FACTS_MAX) throw tooMany()
  return facts
}

function readList(text: string): readonly unknown[] {
  const list = parse(text, () => notJson('The request body is not JSON.'))
  if (Array.isArray(list)) return list
  throw validationError([{ field: 'body', code: 'invalid_type', message: 'must be a list of facts' }])
}

async function readLines(text: string): Promise<readonly unknown[]> {
  const turn = pace()
  const facts: unknown[] = []
  let number = 0
  for (const line of text.split('\n')) {
    number++
    if (line.trim() === '') continue
    if (facts.length === FACTS_MAX) throw tooMany()
    const at = number
    facts.push(parse(line, () => notJson(`Line ${at} of the request body is not JSON.`, { line: at })))
    await turn()
  }
  return facts
}

/** The parser's own message quotes the body, which belongs neither in an answer nor in a log. */
function parse(text: string, refused: () => ApiError): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused()
  }
}

function notJson(message: string, details?: { readonly line: number }): ApiError {
  return new ApiError('invalid_request', {
    public: `${message} Nothing of the batch was applied.`,
    remediation: `Send a JSON array of facts (application/json), or one fact per line (${NDJSON}).`,
    ...(details === undefined ? {} : { details }),
  })
}

function tooMany(): ApiError {
  const message = `must have at most ${FACTS_MAX.toLocaleString('en')} facts; nothing was applied, send them in several requests`
  return validationError([{ field: 'body', code: 'too_long', message }])
}
