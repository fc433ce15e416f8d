import { facts } from '#http/pages/blocks.ts'
import { type Html, html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { joinAddress, styleAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import { type Arrived, followLink, type JoinPageDeps } from './arrive.ts'
import { names } from './frame.ts'
import { findPageSession } from './session-store.ts'

/**
 * The first step of an embedded session. It is shown inside somebody else's page, so it knows nobody, sets no cookie, has no
 * form, and says nothing of any person: who wants to go on does so in a window of ours.
 */
export async function showForm(deps: JoinPageDeps, link: string): Promise<Answer> {
  const found = await followLink(deps, link)
  const origins = found?.session.frameOrigins ?? null
  if (found === null || origins === null) return { status: 404, body: nothingHere(deps.brand) }
  const { session, app, world } = found
  const { name, tagline, managers } = session.syndicate
  const usable = session.status === 'open' && app.state === 'active' && session.stands
  const main = html`<section class="stack"><h1>Join <bdi>${name}</bdi></h1>${tagline !== null && html`<p>${tagline}</p>`}</section>
${usable ? goOn({ ...found, link }, deps.brand) : OVER}
${managers.length > 0 && facts([['Run by', names(managers)]])}`
  const theme = session.appearance === null ? null : styleAddress(link)
  return {
    status: 200,
    body: page({ title: `Join ${name}`, main, brand: deps.brand, world, theme }),
    headers: { 'Content-Security-Policy': pagePolicy({ frameAncestors: origins }) },
  }
}

function goOn({ app, link }: Pick<Arrived, 'app' | 'link'>, brand: ShownBrand): Html {
  const where = brandName(brand)
  return html`<div class="actions"><a class="button primary" href="${joinAddress(link)}" target="_blank" rel="noopener">Continue at ${where}</a><a href="">I have finished there</a></div>
<p class="small muted">A window of ${where} opens, where you sign in and decide. <bdi>${app.name}</bdi> sees who you are only when you press Continue there. Joining invests nothing.</p>`
}

const OVER = html`<p><strong>This form has been used, or is no longer open.</strong> You can ask the people who run this site for another.</p>`

function nothingHere(brand: ShownBrand): string {
  const main = html`<h1>There is no form here</h1><p>The address is not complete, or the session it belongs to is not an embedded one.</p>`
  return page({ title: 'There is no form here', main, brand })
}

/** Null where there is nothing to give another look. */
export async function formStyle({ databases, links }: JoinPageDeps, link: string) {
  const opened = links.open('joinSession', link)
  if (opened === null) return null
  return (await findPageSession(databases[opened.world].reads, opened.id))?.appearance ?? null
}
