import { card, points } from '#http/pages/blocks.ts'
import { actions, button, form, linkButton } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import { CONDITIONS_PATH } from '#modules/apps/index.ts'
import type { InstalledIn } from './installed-apps.ts'

export type RemovePage = {
  readonly brand: ShownBrand
  readonly person: Person
  readonly csrf: string
  readonly installed: InstalledIn
  /** Where the form goes: where it is shown. */
  readonly action: string
}

/** Asks once more, naming what is about to end and for whom: the others who run it lose the app too. */
export function removePage({ brand, person, csrf, installed, action }: RemovePage): string {
  const { app, there, world } = installed
  const title = `Remove ${app.name} from ${there.name}?`
  const organization = html`<bdi>${app.organization.name}</bdi>`
  const main = card(
    html`<h1>${title}</h1><p class="lead">An app by ${organization}</p>`,
    points([
      html`It loses its access to <bdi>${there.name}</bdi> at once, for everybody who runs it.`,
      html`What it has received it still holds. Under ${brandName(brand)}’s <a href="${CONDITIONS_PATH}">conditions</a> ${organization} must delete what it knows of investors; ask them if you want to be sure.`,
      'It can be installed again, and is then granted what it may have at that time.',
    ]),
    form({
      action,
      csrf,
      content: actions(
        button({ label: `Remove ${app.name} from ${there.name}`, kind: 'danger' }),
        linkButton('Keep it', '/settings/apps'),
      ),
    }),
  )
  return page({ title, main, brand, world, person, csrf })
}
