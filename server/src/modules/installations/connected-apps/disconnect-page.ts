import { card, points } from '#http/pages/blocks.ts'
import { actions, button, form, linkButton } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import { type AppDescription, CONDITIONS_PATH } from '#modules/apps/index.ts'

export type DisconnectPage = {
  readonly brand: ShownBrand
  readonly world: World
  readonly person: Person
  readonly csrf: string
  readonly app: AppDescription
  /** Where the form goes: where it is shown. */
  readonly action: string
}

/** Asks once more, naming what is about to end, since the app's own work for the person ends with it. */
export function disconnectPage({ brand, world, person, csrf, app, action }: DisconnectPage): string {
  const title = `Disconnect ${app.name}?`
  const organization = html`<bdi>${app.organization.name}</bdi>`
  const main = card(
    html`<h1>${title}</h1><p class="lead">An app by ${organization}</p>`,
    points([
      'It loses its access at once.',
      html`What it has received it still holds. Under ${brandName(brand)}’s <a href="${CONDITIONS_PATH}">conditions</a> ${organization} must delete it; ask them if you want to be sure.`,
      'Nothing of yours changes here, and you can connect it again from its own site.',
    ]),
    form({
      action,
      csrf,
      content: actions(
        button({ label: `Disconnect ${app.name}`, kind: 'danger' }),
        linkButton('Keep it', '/settings/apps'),
      ),
    }),
  )
  return page({ title, main, brand, world, person, csrf })
}
