/** What the setting PORTICO_CHECKOUT_URL may hold in braces. */
export const CHECKOUT_PLACES = ['offering', 'session', 'invite', 'return_url', 'success_url'] as const
export type CheckoutPlaces = { readonly [P in (typeof CHECKOUT_PLACES)[number]]?: string | null }

/**
 * Where the host platform's own checkout goes on. Whatever is put in is encoded, so that no value of a partner's changes
 * the address itself; what there is none of is left empty.
 */
export function checkoutAddress(template: string, places: CheckoutPlaces): string {
  return CHECKOUT_PLACES.reduce(
    (address, place) => address.replaceAll(`{${place}}`, encodeURIComponent(places[place] ?? '')),
    template,
  )
}
