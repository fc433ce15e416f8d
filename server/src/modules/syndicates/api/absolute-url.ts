/** Pictures are elsewhere, or on this server and then kept as a path: whoever reads the answer needs the whole address. */
export function absoluteUrl(origin: string, address: string | null): string | null {
  return address?.startsWith('/') ? origin + address : address
}
