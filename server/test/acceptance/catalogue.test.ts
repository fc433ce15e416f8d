import { expect, test } from 'vitest'
import { sharedDemoService } from './demo-service.ts'

type Demo = {
  readonly base_url: string
  readonly apps: readonly { readonly keys: readonly { readonly mode: string; readonly client_id: string }[] }[]
}
type Links = { readonly url: string; readonly logo_url: string | null; readonly card_image_url: string | null }
type Offering = { readonly id: string; readonly company: string; readonly attributes: Links }

let demo: Demo
sharedDemoService<Demo>((made) => {
  demo = made
})

/** Requests a path like a page on another site, with a publishable key only. */
async function read(path: string): Promise<Response> {
  const key = demo.apps.flatMap(({ keys }) => keys).find(({ mode }) => mode === 'test')?.client_id
  return fetch(demo.base_url + path, {
    headers: { authorization: `Bearer ${key}`, origin: 'https://elsewhere.example' },
  })
}

test('the server serves every page and picture to which the demo’s catalogue links', async () => {
  const answer = await read('/explore?per_page=100')
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  const { data, meta } = (await answer.json()) as { data: Offering[]; meta: { has_more: boolean } }
  expect([data.length >= 30, meta.has_more]).toEqual([true, false])
  for (const { company, attributes } of data) {
    const one = (await (await read(`/companies/${company}`)).json()) as { data: { attributes: Links } }
    expect(one.data.attributes.url).toBe(attributes.url)
    await requirePage(attributes.url)
    for (const picture of [attributes.logo_url, attributes.card_image_url]) {
      if (picture !== null) await requirePicture(picture)
    }
  }
  expect(data.filter(({ attributes }) => attributes.logo_url === null)).toEqual([])
})

async function requirePage(url: string): Promise<void> {
  const page = await fetch(url)
  expect([url.startsWith(demo.base_url), page.status], url).toEqual([true, 200])
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const pictures = (await page.text()).matchAll(/<img[^>]* src="([^"]+)"/g)
  for (const [, source = ''] of pictures) await requirePicture(new URL(source, url).href)
}

async function requirePicture(url: string): Promise<void> {
  const picture = await fetch(url)
  expect([url.startsWith(demo.base_url), picture.status], url).toEqual([true, 200])
  expect(picture.headers.get('content-type')).toMatch(/^image\//)
  // Without this header a browser would not show the picture on a partner's page.
  expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
}
