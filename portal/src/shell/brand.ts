/** The platform's brand. The server writes it into the page (server/src/front/portal-routes.ts). */
const {
  brand = 'Portico',
  logo = '',
  support = '',
  terms = '',
  privacy = '',
} = document.getElementById('root')?.dataset ?? {}

export const BRAND = { name: brand, logo: logo === '' ? null : logo }

export const PLATFORM_LINKS: readonly (readonly [label: string, href: string])[] = (
  [
    ['Support', support],
    ['Terms', terms],
    ['Privacy', privacy],
  ] as const
).filter(([, href]) => href !== '')
