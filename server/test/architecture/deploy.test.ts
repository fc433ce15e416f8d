import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SETTINGS } from '#main/settings.ts'

/** Checks the files of deploy/ as far as possible without Docker, Helm and systemd. */

const ROOT = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Service = {
  readonly image: string
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
}
type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const known = new Set([...Object.values(SETTINGS).map(({ key }) => key), 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'])
const unknown = (names: readonly string[]) => names.filter((name) => !known.has(name))
/** Returns the names of the settings, written as `NAME=value`, in the text that the pattern matches. */
const assigned = (text: string, line: RegExp) =>
  [...text.matchAll(line)].flatMap(([found]) => [...found.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name))

describe('compose.yaml', () => {
  const compose = parse(textOf('deploy/compose.yaml'), { merge: true }) as Compose

  test('names only services and secrets that it defines', () => {
    const services = Object.entries(compose.services)
    const missing = services.flatMap(([name, { depends_on: after = [], secrets = [] }]) => [
      ...(Array.isArray(after) ? after : Object.keys(after))
        .filter((other) => !(other in compose.services))
        .map((other) => `${name}: ${other}`),
      ...secrets.filter((secret) => !(secret in compose.secrets)).map((secret) => `${name}: ${secret}`),
    ])
    expect(services.map(([name]) => name).sort()).toEqual(['api', 'postgres', 'proxy', 'redis', 'worker'])
    expect(missing).toEqual([])
  })

  test('sets only settings that the service reads, and images never get the files with secrets', () => {
    const { api, worker } = compose.services
    expect(unknown(Object.keys({ ...api?.environment, ...worker?.environment }))).toEqual([])
    expect(unknown(assigned(textOf('deploy/portico.env.example'), /^[A-Z_]+=/gm))).toEqual([])
    const ignored = textOf('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['deploy/portico.env', 'deploy/postgres_password', '.git']))
  })
})

describe('the Helm chart', () => {
  const templates = ['_helpers.tpl', 'api.yaml', 'worker.yaml', 'service.yaml', 'settings.yaml'].map((name) =>
    textOf(`deploy/helm/portico/templates/${name}`),
  )
  const values = parse(textOf('deploy/helm/portico/values.yaml')) as { readonly settings: object }

  test('uses only values of values.yaml, and templates that it defines', () => {
    const text = templates.join('\n')
    const has = (path: string) =>
      path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values) !==
      undefined
    const used = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((path) => !has(path))).toEqual([])
    const defined = [...text.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name)
    const included = [...text.matchAll(/include "([\w.]+)"/g)].map(([, name]) => name)
    expect(included.filter((name) => !defined.includes(name))).toEqual([])
    expect(unknown(Object.keys(values.settings))).toEqual([])
  })

  test('is YAML once its actions are filled in', () => {
    for (const template of templates.slice(1)) {
      const filled = template.replace(/^\s*\{\{-?.*\}\}$/gm, '').replace(/\{\{.*?\}\}/g, 'x')
      expect(parseAllDocuments(filled).flatMap(({ errors }) => errors)).toEqual([])
    }
  })
})

describe('the image and the units', () => {
  const [containerfile, unit] = [textOf('deploy/Containerfile'), textOf('deploy/systemd/portico@.service')]

  test('start Node with the options of npm start', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    const options = scripts['start']?.match(/--[\w-]+=\d+/g) ?? []
    expect(options.length).toBeGreaterThan(0)
    expect(options.filter((option) => !containerfile.includes(`"${option}"`))).toEqual([])
    expect(options.filter((option) => !unit.includes(` ${option} `))).toEqual([])
  })

  test('set only settings that the service reads, and copy only files that exist', () => {
    expect(unknown(assigned(containerfile, /^ENV .*$/gm))).toEqual([])
    expect(unknown(assigned(unit, /^Environment=.*$/gm).filter((name) => name !== 'Environment'))).toEqual([])
    const copied = [...containerfile.matchAll(/cp (?:-r )?(\S.*?) \/image/g)].flatMap(([, paths = '']) =>
      paths.split(' '),
    )
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !path.endsWith('/dist') && !existsSync(join(ROOT, path)))).toEqual([])
  })
})
