import type { OutboundRequest } from '#system/outbound/sender.ts'
import { type Signing, signDelivery } from './signature/sign-delivery.ts'

/** `wefunder` signs with `Wefunder-Signature`. */
export function signatureHeaderOf(brand: string): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)}-Signature`
}

/** What goes over the wire, of a test as of a delivery. */
export function deliveryRequest(url: string, signing: Signing): OutboundRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'Portico-Webhooks/1', ...signDelivery(signing) }
  return { url, headers, body: signing.body }
}
