import { describe, expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const FACTS = {
  role: 'all',
  address: 'http://localhost:4400',
  baseUrl: null,
  dataDirectory: '.portico',
  demo: null,
  firstAdminUrl: null,
  readyInMs: 5_230,
  times: [
    { name: 'loading', ms: 512 },
    { name: 'migrations', ms: 12 },
    { name: 'demo', ms: 2_049 },
  ],
} as const

describe('the welcome', () => {
  test('shows the time of the start and of its steps', () => {
    expect(welcome(FACTS)).toContain('Portico is ready (5.2 s: loading 0.5, demo 2.0).\n')
  })

  test('lists each address once', () => {
    expect(welcome(FACTS)).toContain(`
  Front page   http://localhost:4400/
  Portal       http://localhost:4400/developers
  API          http://localhost:4400
  Reference    http://localhost:4400/docs
  Readiness    http://localhost:4400/readyz
  Data         .portico
`)
  })

  test('lists the address on which the service listens next to the public address', () => {
    expect(welcome({ ...FACTS, baseUrl: 'https://api.example', dataDirectory: null })).toContain(`
  API          https://api.example
  Reference    https://api.example/docs
  Listening    http://localhost:4400
  Readiness    http://localhost:4400/readyz
  Data         your PostgreSQL (DATABASE_URL)
`)
  })

  test('lists no API for a worker process', () => {
    const text = welcome({ ...FACTS, role: 'worker', baseUrl: 'https://api.example' })
    expect(text).toContain('\n  Listening    http://localhost:4400\n  Readiness  ')
    expect(text).not.toMatch(/API|docs|api\.example/)
  })

  test('names the file and the people of the demo', () => {
    const people = [{ email: 'ada@portico.example', password: 'portico-demo-ada' }]
    const text = welcome({ ...FACTS, demo: { file: '.portico/demo.json', people } })
    expect(text).toContain('\n  Demo         .portico/demo.json\n')
    expect(text).toContain('\n  ada@portico.example  portico-demo-ada\n')
  })

  test('shows the link of the first administrator while no account can sign in', () => {
    const url = 'http://127.0.0.1:4400/sign-up/link/token'
    expect(
      welcome({ ...FACTS, firstAdminUrl: url }),
    ).toContain(`This link makes the first administrator, once, within an hour:

  ${url}
`)
    expect(welcome(FACTS)).not.toContain('administrator')
  })
})
