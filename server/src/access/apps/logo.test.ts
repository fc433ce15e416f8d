import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PictureType } from '#http/response-bodies.ts'
import { WORLDS } from '#kernel/world.ts'
import { anApp } from '#test/apps.ts'
import { LOGO_BYTES_MAX, type PictureSize, pictureSize } from './change-logo.ts'
import { describeApp } from './index.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { jpegOf, pngOf, sentAs, webpOf } from './testing/pictures.ts'
import { aStranger, aTeam } from './testing/team.ts'

const SIZE: PictureSize = { width: 96, height: 64 }
const PICTURES: [string, PictureType, Buffer][] = [
  ['PNG', 'image/png', pngOf(SIZE)],
  ['JPEG', 'image/jpeg', jpegOf(SIZE)],
  ['progressive JPEG', 'image/jpeg', jpegOf(SIZE, 0xc2)],
  ['lossy WebP', 'image/webp', webpOf('VP8 ', SIZE)],
  ['lossless WebP', 'image/webp', webpOf('VP8L', SIZE)],
  ['extended WebP', 'image/webp', webpOf('VP8X', SIZE)],
]

describe('the size of a picture is read from its header', () => {
  test.each(PICTURES)('%s', (_, type, bytes) => {
    expect(pictureSize(type, bytes)).toEqual(SIZE)
  })

  test.each(PICTURES)('%s: it is not read as another type; a cut-off PNG or WebP is rejected', (_, type, bytes) => {
    for (const other of ['image/png', 'image/jpeg', 'image/webp'] as const) {
      if (other !== type) expect(pictureSize(other, bytes)).toBeNull()
    }
    for (let length = 0; length < bytes.length - 1; length++) {
      const size = pictureSize(type, bytes.subarray(0, length))
      expect(size === null || type === 'image/jpeg').toBe(true)
    }
  })

  test.each([
    ['tables alone', 'ffd8ffc40004abcdffc40004abcdffffffffffff'],
    ['data before a frame', 'ffd8ffda0004abcdffc000110800400040030000'],
    ['a segment of length 0', 'ffd8ffe00000ffc00011080040004003000000000'],
    ['an end marker before the frame', 'ffd8ffd9ffc00011080040004003000000000000'],
  ])('a JPEG with %s is not a picture', (_, hex) => {
    expect(pictureSize('image/jpeg', Buffer.from(hex, 'hex'))).toBeNull()
  })
})

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const fieldsOf = ({ details }: { details?: object }) => (details as { fields: readonly object[] }).fields
const auditOf = (subject: string) =>
  service.db.sql('select action, actor, details from platform.audit_entries where subject = $1 order by id', [subject])

async function anOwnApp() {
  const team = await aTeam(service)
  const app = await anApp(service.db, { organization: team.organization })
  const path = `/portal/api/apps/${app}`
  return { ...team, app, path, logo: `${path}/logo`, asset: `${service.url}/assets/apps/${app}/logo` }
}

describe('PUT /portal/api/apps/{id}/logo', () => {
  test.each(PICTURES)('200 for a %s, which the logo’s address then returns unchanged', async (_, type, bytes) => {
    const { app, developer, logo, path } = await anOwnApp()
    const { status, data } = await developer.send('PUT', logo, sentAs(type, bytes))
    const url = String(data.attributes['logo_url'])
    expect([status, url]).toEqual([200, expect.stringMatching(`^/assets/apps/${app}/logo\\?v=[\\w-]{16}$`)])
    expect((await developer.send('GET', path)).data).toEqual(data)
    const served = await fetch(service.url + url)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
    for (const world of WORLDS) {
      expect(await describeApp(service.db.databases[world].reads, app)).toMatchObject({ logoUrl: url })
    }
  })

  test('a new picture changes the logo’s address; the same picture sent again changes nothing; the audit has one entry per change', async () => {
    const { app, owner, logo } = await anOwnApp()
    const urls: unknown[] = []
    for (const width of [32, 32, 48]) {
      const { data } = await owner.send('PUT', logo, sentAs('image/png', pngOf({ width, height: 32 })))
      urls.push(data.attributes['logo_url'])
    }
    expect(urls[1]).toBe(urls[0])
    expect(urls[2]).not.toBe(urls[0])
    expect(await auditOf(app)).toEqual(
      Array(2).fill({
        action: 'app.logo_changed',
        actor: owner.account,
        details: { media_type: 'image/png', bytes: 33, version: expect.any(String) },
      }),
    )
  })

  const large = Buffer.concat([pngOf(SIZE), Buffer.alloc(LOGO_BYTES_MAX)])
  test.each<[string, { readonly media_type: string; readonly data: string }, string]>([
    ['invalid base64', { media_type: 'image/png', data: 'not base64!' }, 'data'],
    ['base64 without its padding', { media_type: 'image/jpeg', data: jpegOf(SIZE).toString('base64url') }, 'data'],
    ['nothing', { media_type: 'image/png', data: '' }, 'data'],
    ['another type than declared', sentAs('image/png', jpegOf(SIZE)), 'data'],
    ['a page', sentAs('image/png', Buffer.from('<!doctype html><script>alert(1)</script>')), 'data'],
    ['a drawing', { ...sentAs('image/png', Buffer.from('<svg/>')), media_type: 'image/svg+xml' }, 'media_type'],
    ['an animation', { ...sentAs('image/png', Buffer.from('GIF89a')), media_type: 'image/gif' }, 'media_type'],
    ['more than 64 KiB', sentAs('image/png', large), 'data'],
    ['one byte more than 64 KiB', sentAs('image/png', large.subarray(0, LOGO_BYTES_MAX + 1)), 'data'],
    ['too many pixels', sentAs('image/png', pngOf({ width: 64, height: 1_025 })), 'data'],
    ['far too many pixels', sentAs('image/png', pngOf({ width: 0xffffffff, height: 0xffffffff })), 'data'],
    ['too few pixels', sentAs('image/png', pngOf({ width: 1, height: 64 })), 'data'],
    ['no pixels', sentAs('image/png', pngOf({ width: 0, height: 0 })), 'data'],
  ])('422 for %s', async (_, body, field) => {
    const { app, owner, logo, asset } = await anOwnApp()
    const response = await owner.send('PUT', logo, body)
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field }]])
    expect((await fetch(asset)).status).toBe(404)
    expect(await auditOf(app)).toEqual([])
  })

  test('200 for exactly 64 KiB', async () => {
    const { owner, logo } = await anOwnApp()
    const response = await owner.send('PUT', logo, sentAs('image/png', large.subarray(0, LOGO_BYTES_MAX)))
    expect(response.status).toBe(200)
  })

  test('404 for a stranger, 401 when signed out, 409 if the platform ended the organization', async () => {
    const { organization, owner, logo, asset } = await anOwnApp()
    const body = sentAs('image/png', pngOf(SIZE))
    const stranger = await aStranger(service)
    expect((await stranger('PUT', logo, body)).status).toBe(404)
    expect((await stranger('DELETE', logo)).status).toBe(404)
    expect((await (await service.as(null))('PUT', logo, body)).status).toBe(401)
    expect((await fetch(asset)).status).toBe(404)
    await service.operator()('POST', `/platform/organizations/${organization}/end`, { reason: 'Scraping.' })
    expect((await owner.send('PUT', logo, body)).status).toBe(409)
  })
})

describe('DELETE /portal/api/apps/{id}/logo', () => {
  test('204, also for an app without a logo; afterwards the app has no logo', async () => {
    const { app, owner, developer, logo, path, asset } = await anOwnApp()
    await owner.send('PUT', logo, sentAs('image/png', pngOf(SIZE)))
    for (const _ of [1, 2]) expect((await developer.send('DELETE', logo)).status).toBe(204)
    expect((await owner.send('GET', path)).data.attributes['logo_url']).toBeNull()
    expect((await fetch(asset)).status).toBe(404)
    expect(await auditOf(app)).toMatchObject([{ action: 'app.logo_changed' }, { action: 'app.logo_removed' }])
  })

  test('deleting an app deletes its logo', async () => {
    const { owner, logo, path, asset } = await anOwnApp()
    await owner.send('PUT', logo, sentAs('image/png', pngOf(SIZE)))
    expect((await owner.send('DELETE', path, { name: 'Deal Desk' })).status).toBe(204)
    expect((await fetch(asset)).status).toBe(404)
  })
})

describe('GET /assets/apps/{app_id}/logo', () => {
  test('may be read and cached by every visitor; headers make browsers treat it only as a picture', async () => {
    const { owner, logo, asset } = await anOwnApp()
    await owner.send('PUT', logo, sentAs('image/webp', webpOf('VP8L', SIZE)))
    const { status, headers } = await fetch(asset)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const again = await fetch(asset, { headers: { 'if-none-match': String(headers.get('etag')) } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await fetch(asset, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })

  test('404 for an app without a logo, an unknown app and a malformed id', async () => {
    const { asset } = await anOwnApp()
    const { url } = service
    for (const path of [asset, `${url}/assets/apps/app_000000000000000000000000/logo`, `${url}/assets/apps/x/logo`]) {
      expect((await fetch(path)).status).toBe(404)
    }
  })
})
