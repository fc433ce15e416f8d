/** Header names that carry the brand: `wefunder` gives `Wefunder-Version`. */
export type BrandHeaders = { readonly version: string; readonly versionLatest: string }

export function brandHeaders(brand: string): BrandHeaders {
  if (!/^[a-z][a-z0-9]*$/.test(brand)) throw new Error(`a brand is lower-case letters and digits: ${brand}`)
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  return { version: `${name}-Version`, versionLatest: `${name}-Version-Latest` }
}
