import { describe, expect, test } from 'vitest'
import { parseArguments, UsageError } from './command-line.ts'
import { ConfigError, parseConfig } from './config.ts'
import { configDocument } from './generated-documents.ts'
import { SETTINGS } from './settings.ts'

const SECRET = 's'.repeat(32)

describe('settings', () => {
  test('that are not set have the defaults of the table', () => {
    const config = parseConfig({})
    for (const [name, { default: fallback }] of Object.entries(SETTINGS)) expect(config).toHaveProperty(name, fallback)
    expect(config.isExplicit('port')).toBe(false)
  })

  test('are read from the environment, and marked as explicit', () => {
    const config = parseConfig({
      PORT: '8080',
      HOST: '::1',
      LOG_LEVEL: 'warn',
      PORTICO_PREVIOUS_SECRETS: `${SECRET}, ${SECRET}2`,
    })
    expect(config).toMatchObject({ port: 8080, host: '::1', logLevel: 'warn', previousSecrets: [SECRET, `${SECRET}2`] })
    expect(config.isExplicit('port')).toBe(true)
  })

  test('that are empty count as not set', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4400, databaseUrl: null })
  })

  test.each([
    [{ PORTICO_OPENID_ISSUER: 'https://id.example' }, 'PORTICO_OPENID_CLIENT_ID'],
    [{ PORTICO_OPENID_CLIENT_ID: 'portico' }, 'PORTICO_OPENID_ISSUER'],
    [{ PORTICO_SMTP_URL: 'smtp://mail.example' }, 'PORTICO_MAIL_FROM'],
    [
      { PORTICO_SMTP_URL: 'smtp://mail.example', PORTICO_MAIL_FROM: 'a@b.example', PORTICO_MAIL_DIRECTORY: '/m' },
      'two ways',
    ],
    [{ PORTICO_PASSWORD_SIGN_IN: 'off' }, 'no way to sign in'],
  ])('that are incomplete or contradict each other stop the start: %o', (environment, words) => {
    expect(() => parseConfig(environment)).toThrow(words)
  })

  test.each([
    ['PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number'],
    ['PORT', '1e3', 'a whole number'],
    ['LOG_LEVEL', 'loud', 'one of debug, info, warn, error, silent'],
    ['PORTICO_BRAND', 'We Funder', 'a lower-case word'],
    ['PORTICO_BASE_URL', 'ftp://x', 'http:// or https://'],
    ['PORTICO_BASE_URL', 'https://partners.example/portico', 'without a path'],
    ['PORTICO_OPENID_ISSUER', 'http://id.example', 'on this machine'],
    ['PORTICO_MAIL_FROM', 'a@b.example, c@d.example', 'no-reply@'],
    ['PORTICO_MAIL_FROM', 'Evil\nBcc: <a@b.example>', 'no-reply@'],
    ['PORTICO_DKIM_KEY_FILE', '/nowhere/key.pem', 'a PEM file'],
    ['PORTICO_PASSWORD_SIGN_IN', 'no', 'one of on, off'],
    ['HOST', 'a b', 'a host name or address'],
    ['PORTICO_LIMIT_ADDRESS', '-1', 'or 0 or off to lift it'],
    ['PORTICO_LIMIT_ADDRESS', 'many', 'a whole number from 1'],
    ['PORTICO_TRUSTED_PROXIES', 'proxy.example', 'addresses and ranges'],
    ['PORTICO_TRUSTED_PROXIES', '10.0.0.0/33', 'addresses and ranges'],
    ['PORTICO_TRUSTED_PROXIES', '10.0.0.1,', 'addresses and ranges'],
    ['PORTICO_TRUSTED_PROXIES', '10.0.0', 'addresses and ranges'],
    ['PORTICO_TRUSTED_PROXIES', '10.1/8', 'addresses and ranges'],
    ['PORTICO_POOL_SIZE', '0', 'from 2 to 200'],
    ['PORTICO_ACCENT_COLOR', 'green', 'a colour as #rrggbb'],
    ['PORTICO_ACCENT_COLOR', '#ffff00', 'a contrast of at least 4.5:1'],
    ['PORTICO_TERMS_URL', 'http://platform.example/terms', 'https://'],
    ['PORTICO_LOGO', '/no/such/picture.png', 'a PNG, JPEG or WebP file'],
    ['PORTICO_FAVICON', import.meta.filename, 'a PNG, JPEG or WebP file'],
  ])('%s=%s stops the start, with key, value and allowed values', (key, value, allowed) => {
    expect(() => parseConfig({ [key]: value })).toThrow(ConfigError)
    expect(() => parseConfig({ [key]: value })).toThrow(`${key}=${JSON.stringify(value)}`)
    expect(() => parseConfig({ [key]: value })).toThrow(allowed)
  })

  test.each([
    ['PORTICO_SECRET', 'short-and-private'],
    ['PORTICO_PREVIOUS_SECRETS', `${SECRET},private`],
    ['DATABASE_URL', 'mysql://u:private@h/d'],
    ['REDIS_URL', 'http://u:private@h'],
    ['PORTICO_SMTP_URL', 'http://u:private@h'],
  ])('%s is not shown in the message, because it is secret', (key, value) => {
    expect(() => parseConfig({ [key]: value })).toThrow(`${key}=(hidden)`)
  })

  test('DATABASE_URL needs PORTICO_SECRET', () => {
    expect(() => parseConfig({ DATABASE_URL: 'postgres://h/d' })).toThrow('PORTICO_SECRET is not set')
    expect(parseConfig({ DATABASE_URL: 'postgres://h/d', PORTICO_SECRET: SECRET }).databaseUrl).toBe('postgres://h/d')
  })

  test('0 and off remove a limit', () => {
    const config = parseConfig({ PORTICO_LIMIT_ADDRESS: 'off', PORTICO_LIMIT_WEBHOOK_TEST: '0' })
    expect(config).toMatchObject({ limitAddress: 0, limitWebhookTest: 0, limitAccessToken: 1_000 })
  })

  test('that look like limits but are unknown are listed, so that the start can report them', () => {
    const environment = { PORTICO_LIMIT_ADRESS: '1', PORTICO_LIMIT: 'off', PORTICO_LIMIT_ADDRESS: '1', PATH: '/' }
    expect(parseConfig(environment).ignored).toEqual(['PORTICO_LIMIT_ADRESS', 'PORTICO_LIMIT'])
  })

  test('proxies are IPv4 and IPv6 addresses and ranges, and loopback', () => {
    const proxies = ['10.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1', 'loopback']
    expect(parseConfig({ PORTICO_TRUSTED_PROXIES: proxies.join(', ') }).trustedProxies).toEqual(proxies)
  })

  test('are all in the generated docs/configuration.md', () => {
    const text = configDocument()
    for (const { key, why } of Object.values(SETTINGS)) {
      expect(text).toContain(`\`${key}\``)
      expect(text).toContain(why)
    }
  })
})

describe('arguments', () => {
  test('default to all roles and no reset', () => {
    expect(parseArguments([])).toEqual({ role: 'all', reset: false })
    expect(parseArguments(['--role', 'worker', '--reset'])).toEqual({ role: 'worker', reset: true })
  })

  test.each([[['--role', 'boss']], [['--rolle', 'api']], [['api']], [['--role']]])(
    '%j is rejected with the known values',
    (argv) => {
      expect(() => parseArguments(argv)).toThrow(UsageError)
      expect(() => parseArguments(argv)).toThrow('[--role api|worker|all]')
    },
  )
})
