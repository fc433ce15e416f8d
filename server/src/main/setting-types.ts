/** How the text of an environment variable becomes a value. `allowed` completes the sentence "… must be …". */
export type SettingType<T> = {
  readonly allowed: string
  /** Undefined when the text is not acceptable. */
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

export function oneOf<const T extends string>(...values: readonly T[]): SettingType<T> {
  return { allowed: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) }
}

export function matching(pattern: RegExp, allowed: string): SettingType<string> {
  return { allowed, parse: (text) => (pattern.test(text) ? text : undefined) }
}

export function url(...protocols: readonly string[]): SettingType<string> {
  return {
    allowed: `an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    // Without the slash at its end, because paths are appended to it.
    parse: (text) =>
      protocols.some((protocol) => text.startsWith(`${protocol}//`)) && URL.canParse(text)
        ? text.replace(/\/+$/, '')
        : undefined,
  }
}

/** A database address carries a password, so it counts as secret. */
export const databaseUrl: SettingType<string> = {
  allowed: 'an address like postgres://user:password@host:5432/database',
  secret: true,
  parse: (text) => (/^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined),
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
