import { describe, expect, test } from 'vitest'
import { openLog, readable, textLines } from './log.ts'

const written = (isTerminal: boolean, write: (log: ReturnType<typeof openLog>) => void) => {
  const lines: string[] = []
  write(openLog('info', textLines({ write: (line: string) => void lines.push(line) }, isTerminal)))
  return lines.join('')
}

describe('the log as text', () => {
  test('has the time of day, the level, the message and the fields', () => {
    const text = written(false, (log) => log.warn({ route: '/users/{id}', status: 404, who: 'Ada Osei' }, 'not found'))
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}not found route=\/users\/\{id\} status=404 who="Ada Osei"\n$/)
  })

  test('shows errors line by line', () => {
    const text = written(false, (log) => log.error({ err: new Error('no bread') }, 'it failed'))
    const [first, second, third] = text.split('\n')
    expect(first).toMatch(/ error it failed$/)
    expect(second).toBe('    Error: no bread')
    expect(third).toMatch(/^ {4}at /)
  })

  test('escapes control characters that would move the cursor', () => {
    const text = written(false, (log) => log.info({ name: '\u001B[2Jgone' }, 'line\r\u001B[Kgone'))
    expect(text).toContain(String.raw`line\r\u001b[Kgone name="\u001b[2Jgone"`)
    expect(text.slice(0, -1)).not.toMatch(/\p{Cc}/u)
  })

  test('on a terminal clears an unfinished line first', () => {
    expect(written(true, (log) => log.info('hello')).startsWith('\r\u001B[K')).toBe(true)
  })

  test('redacts secrets like the log as JSON, and shows a line that is not JSON unchanged', () => {
    expect(written(false, (log) => log.info({ password: 'hush' }, 'hello'))).toContain('password="(hidden)"')
    expect(readable('not JSON\n')).toBe('not JSON')
  })
})
