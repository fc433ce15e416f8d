/** A string, or a mark that says where we are. Numbers, words and spaces say nothing and are passed over. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * The names of the outermost object, in order and as often as they are written. For text that is known to be JSON: a
 * string before a colon is a name, and nothing else is.
 */
export function namesInJson(json: string): readonly string[] {
  const names: string[] = []
  let depth = 0
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ':' && depth === 1) names.push(String(JSON.parse(before)))
    before = token
  }
  return names
}
