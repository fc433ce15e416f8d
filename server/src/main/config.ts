import { join, resolve } from 'node:path'
import type { DkimSettings, MailBrand, MailSettings } from '#mail/index.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { CannotMigrate } from '#system/postgres/migrate.ts'
import type { TracingSettings } from '#system/tracing.ts'
import { UsageError } from './command-line.ts'
import { mailSender, sealingSecret } from './setting-types.ts'
import { SETTINGS, type Setting } from './settings.ts'

type Value<S> = S extends Setting<infer T, infer D> ? (null extends D ? T | null : T) : never
export type Config = { readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> } & {
  /** Whether the value came from the environment rather than from the table's default. */
  isExplicit(name: keyof typeof SETTINGS): boolean
  /**
   * Environment variables that look like limits but are unknown. The start reports them, because the operator who set them
   * expects an effect.
   */
  readonly ignored: readonly string[]
}

/**
 * The message names the setting and says what is allowed. It never contains a secret value. The start ends with exit
 * code 2.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const explicit = new Set<string>()
  const values = Object.entries(SETTINGS).map(([name, { key, type, default: fallback }]) => {
    const text = environment[key]
    // Many tools set an empty variable to mean "not set".
    if (text === undefined || text === '') return [name, fallback]
    explicit.add(name)
    const value = type.parse(text)
    if (value === undefined) {
      throw new ConfigError(
        `${key}=${type.secret ? '(hidden)' : JSON.stringify(text)} is not acceptable: it must be ${type.allowed}.`,
      )
    }
    return [name, value]
  })
  const isExplicit = (name: string) => explicit.has(name)
  const config = { ...Object.fromEntries(values), isExplicit, ignored: misspelt(environment) } as Config
  if (config.databaseUrl !== null && config.secret === null) {
    throw new ConfigError(`PORTICO_SECRET is not set: together with DATABASE_URL it must be ${sealingSecret.allowed}.`)
  }
  if ((config.openidIssuer === null) !== (config.openidClientId === null)) {
    throw new ConfigError('PORTICO_OPENID_ISSUER and PORTICO_OPENID_CLIENT_ID must be set together or not at all.')
  }
  if (config.smtpUrl !== null && config.mailFrom === null) {
    throw new ConfigError(
      `PORTICO_MAIL_FROM is not set: together with PORTICO_SMTP_URL it must be ${mailSender.allowed}.`,
    )
  }
  if (config.smtpUrl !== null && config.mailDirectory !== null) {
    throw new ConfigError('PORTICO_SMTP_URL and PORTICO_MAIL_DIRECTORY are two ways to send mail: set one of them.')
  }
  if (config.passwordSignIn === 'off' && config.openidIssuer === null) {
    throw new ConfigError('PORTICO_PASSWORD_SIGN_IN=off leaves no way to sign in: set PORTICO_OPENID_ISSUER as well.')
  }
  return config
}

function misspelt(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set(Object.values(SETTINGS).map(({ key }): string => key))
  return Object.keys(environment).filter((key) => key.startsWith('PORTICO_LIMIT') && !known.has(key))
}

export function loadConfig(): Config {
  return parseConfig(process.env)
}

const NO_REPLY = 'no-reply@portico.invalid'

/**
 * With the embedded database, mail is written to the data directory by default. Otherwise the operator configures how mail is
 * sent.
 */
export function mailSettings(config: Config): MailSettings | null {
  const { smtpUrl, mailDirectory, databaseUrl, dataDirectory } = config
  const from = config.mailFrom ?? NO_REPLY
  if (smtpUrl !== null) return { kind: 'smtp', url: smtpUrl, from, dkim: dkimSettings(config, from) }
  const directory = mailDirectory ?? (databaseUrl === null ? join(dataDirectory, 'mail') : null)
  return directory === null ? null : { kind: 'directory', directory: resolve(directory), from }
}

/** Null if no traces are exported. */
export function tracingSettings(config: Config): TracingSettings | null {
  const { otlpEndpoint: endpoint, traceSampler: sampler } = config
  if (endpoint === null || sampler === 'always_off') return null
  const { otlpHeaders: headers, traceServiceName: serviceName, traceResource: resource, traceRatio: ratio } = config
  return { endpoint, headers: headers ?? {}, serviceName, resource: resource ?? {}, sampler, ratio }
}

function dkimSettings({ dkimKey, dkimSelector }: Config, from: string): DkimSettings | null {
  const domain = /@([^\s>]+)/.exec(from)?.[1]
  if (dkimKey === null || domain === undefined) return null
  return { domain, selector: dkimSelector, privateKey: dkimKey }
}

export function mailBrand({ platformName: name, accentColor: accent, logo, ...links }: Config): MailBrand {
  return { name, accent, logo, links: { support: links.supportUrl, terms: links.termsUrl, privacy: links.privacyUrl } }
}

/** The reason why the service did not start, as one sentence for the person at the shell, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const EXPECTED = [ConfigError, UsageError, StartError, CannotMigrate]
/**
 * An expected error too. Its class is in a workspace that may not be installed, so the error is recognized by its name.
 */
const EXPECTED_NAME = 'EmbeddedPostgresError'

/**
 * An expected failure and an unavailable database are explained without a stack trace. Any other failure is a bug, and
 * is printed with its stack trace after `what`.
 */
export function explainFailure(error: unknown, what = 'Portico could not start'): string {
  if (!(error instanceof Error)) return `${what}: ${String(error)}`
  if (error.name === EXPECTED_NAME || EXPECTED.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `Portico could not reach its database: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
  }
  return `${what}: ${error.stack ?? error.message}`
}
