import { createPrivateKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
// Imports single files instead of whole modules, because settings are read before the service is loaded.
import { isLoopbackHttp } from '#access/accounts/settings.ts'
import { pictureTypeOf } from '#access/apps/change-logo.ts'
import { CHECKOUT_PLACES, checkoutAddress } from '#hosted/sessions/checkout/checkout.ts'
import { isProxy } from '#http/client-address.ts'
import type { Picture } from '#http/response-bodies.ts'
import { isReadableAccent } from '#pages/platform-brand.ts'

/** How the text of an environment variable becomes a value. `allowed` completes the sentence "… must be …". */
export type SettingType<T> = {
  readonly allowed: string
  /** Undefined if the text is not acceptable. */
  parse(text: string): T | undefined
  /** Secrets are never repeated in an error message. */
  readonly secret?: true
}

export function integer(min: number, max: number): SettingType<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = Number(text)
      return /^\d{1,15}$/.test(text) && number >= min && number <= max ? number : undefined
    },
  }
}

/** A limit: how often something may happen. 0 removes the limit. */
export function countOrOff(max: number): SettingType<number> {
  const { parse } = integer(0, max)
  return {
    allowed: `a whole number from 1 to ${max}, or 0 or off to lift it`,
    parse: (text) => (text === 'off' ? 0 : parse(text)),
  }
}

export function oneOf<const T extends string>(...values: readonly T[]): SettingType<T> {
  return { allowed: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) }
}

export function matching(pattern: RegExp, allowed: string): SettingType<string> {
  return { allowed, parse: (text) => (pattern.test(text) ? text : undefined) }
}

function url(...protocols: readonly string[]): SettingType<string> {
  return {
    allowed: `an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    // Without a trailing slash, because paths are appended.
    parse: (text) =>
      protocols.some((protocol) => text.startsWith(`${protocol}//`)) && URL.canParse(text)
        ? text.replace(/\/+$/, '')
        : undefined,
  }
}

/** An origin without a path, because the paths of the service begin at the root. */
export function origin(...protocols: readonly string[]): SettingType<string> {
  const { allowed, parse } = url(...protocols)
  return {
    allowed: `${allowed}, without a path`,
    parse: (text) => {
      const address = parse(text)
      return address !== undefined && new URL(address).origin === address.toLowerCase()
        ? address.toLowerCase()
        : undefined
    },
  }
}

/** A trailing slash is not removed, because the text must equal the issuer that the provider names. */
export const issuer: SettingType<string> = {
  allowed: 'an address beginning with https://, or http:// for a provider on this machine',
  parse: (text) => {
    const address = /\s/.test(text) ? null : URL.parse(text)
    const safe = address?.protocol === 'https:' || (address !== null && isLoopbackHttp(address))
    return safe ? text : undefined
  },
}

/** An address with placeholders in braces. No placeholder can change its host. */
export const checkoutTemplate: SettingType<string> = {
  allowed: `an address beginning with https:// (http:// on this machine), with any of ${CHECKOUT_PLACES.map((place) => `{${place}}`).join(', ')} after its host`,
  parse: (text) => {
    const address = URL.parse(checkoutAddress(text, {}))
    const safe = address?.protocol === 'https:' || (address !== null && isLoopbackHttp(address))
    const whole = /^https?:\/\/[^/?#{}\s]+([/?][^{}\s#]*)?$/.test(checkoutAddress(text, {}))
    const hostIsFixed = /^https?:\/\/[^/?#{}\s]+([/?]|$)/.test(text)
    return safe && whole && hostIsFixed ? text : undefined
  },
}

/** A secret text. Error messages do not contain it. */
export const secretText: SettingType<string> = {
  allowed: 'a text without spaces at its ends',
  secret: true,
  parse: (text) => (text === text.trim() ? text : undefined),
}

/**
 * The proxies whose X-Forwarded-For is trusted. Host names are not allowed, because they would need DNS lookups, whose results
 * change.
 */
export const trustedProxies: SettingType<readonly string[]> = {
  allowed: 'addresses and ranges (10.0.0.0/8, fd00::/8) separated by commas, or loopback for this machine’s own',
  parse: (text) => {
    const proxies = text.split(',').map((proxy) => proxy.trim())
    return proxies.every(isProxy) ? proxies : undefined
  },
}

export const ratio: SettingType<number> = {
  allowed: 'a number from 0 to 1, such as 0.1',
  parse: (text) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
}

const httpAddress = url('http:', 'https:')

/** The base address of a collector; a path is allowed. */
export const collector: SettingType<string> = {
  allowed: httpAddress.allowed,
  parse: (text) => (/[\s?#]/.test(text) ? undefined : httpAddress.parse(text)),
}

/** OpenTelemetry's form: `key=value,key=value`, with values percent-encoded. Secret for headers, which contain API keys. */
export const keyValues = (secret: { readonly secret?: true }): SettingType<Readonly<Record<string, string>>> => ({
  ...secret,
  allowed: 'pairs like key=value, separated by commas, with values percent-encoded',
  parse: (text) => {
    const pairs = text.split(',').map((pair) => /^\s*([^\s=,;]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          if (pair === null) throw new URIError('not a pair')
          return [pair[1], decodeURIComponent(pair[2] ?? '')]
        }),
      )
    } catch {
      return undefined
    }
  },
})

/** Secret, because it contains a password. */
export const redisUrl: SettingType<string> = {
  allowed: 'an address like redis://user:password@host:6379/0, or rediss:// for TLS',
  secret: true,
  parse: (text) => (/^rediss?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
}

/** Secret, because it contains a password. */
export const smtpUrl: SettingType<string> = {
  allowed: 'an address like smtp://user:password@host:587, or smtps:// for TLS from the first byte',
  secret: true,
  parse: (text) => (/^smtps?:\/\/\S+$/.test(text) && URL.parse(text)?.hostname ? text : undefined),
}

/** An address, or a name and an address in angle brackets. */
export const mailSender: SettingType<string> = matching(
  /^(?:[^<>\p{Cc}"@,;]{1,80} <[^@\s<>,;]+@[^@\s<>,;]+>|[^@\s<>,;]+@[^@\s<>,;]+)$/u,
  'an address like no-reply@platform.example, or Name <no-reply@platform.example>',
)

/** The file is read once, at the start. */
export const privateKeyFile: SettingType<string> = {
  allowed: 'the path of a PEM file with a private key that can be read',
  parse: (text) => {
    if (!statSync(text, { throwIfNoEntry: false })?.isFile()) return undefined
    const pem = readFileSync(text, 'utf8')
    try {
      return createPrivateKey(pem).type === 'private' ? pem : undefined
    } catch {
      return undefined
    }
  },
}

/** Secret, because it contains a password. */
export const databaseUrl: SettingType<string> = {
  allowed: 'an address like postgres://user:password@host:5432/database',
  secret: true,
  parse: (text) => (/^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
}

/** Several addresses, separated by commas. A comma in a password must be percent-encoded. */
export const databaseUrls: SettingType<readonly string[]> = {
  allowed: 'addresses like postgres://user:password@host:5432/database, separated by commas',
  secret: true,
  parse: (text) => {
    const urls = text.split(',').map((url) => url.trim())
    return urls.every((url) => databaseUrl.parse(url) !== undefined) ? urls : undefined
  },
}

const SECRET_CHARS_MIN = 32

export const sealingSecret: SettingType<string> = {
  allowed: `a random text of at least ${SECRET_CHARS_MIN} characters (openssl rand -base64 48)`,
  secret: true,
  parse: (text) => (text.length >= SECRET_CHARS_MIN ? text : undefined),
}

export const sealingSecrets: SettingType<readonly string[]> = {
  allowed: `secrets of at least ${SECRET_CHARS_MIN} characters each, separated by commas`,
  secret: true,
  parse: (text) => {
    const secrets = text.split(',').map((secret) => secret.trim())
    return secrets.every((secret) => secret.length >= SECRET_CHARS_MIN) ? secrets : undefined
  },
}

/** Pages link to this address, so plain http is not allowed. */
export const httpsUrl: SettingType<string> = {
  allowed: 'an address beginning with https://',
  parse: (text) => (URL.parse(text)?.protocol === 'https:' && !/\s/.test(text) ? text : undefined),
}

export const accentColor: SettingType<string> = {
  allowed: 'a colour as #rrggbb that has a contrast of at least 4.5:1 to the white of our pages',
  parse: (text) => (/^#[0-9A-Fa-f]{6}$/.test(text) && isReadableAccent(text) ? text.toLowerCase() : undefined),
}

const PICTURE_BYTES_MAX = 262_144

/** The picture is read once at the start. So an invalid picture stops the start; otherwise it would be missing on every page. */
export const pictureFile: SettingType<Picture> = {
  allowed: 'the path of a PNG, JPEG or WebP file of at most 256 KiB that can be read',
  parse: (text) => {
    if (!statSync(text, { throwIfNoEntry: false })?.isFile()) return undefined
    const bytes = readFileSync(text)
    if (bytes.length > PICTURE_BYTES_MAX) return undefined
    const mediaType = pictureTypeOf(bytes)
    return mediaType === null ? undefined : { mediaType, bytes }
  },
}
