import { validationError } from '#kernel/errors.ts'

/** Whoever names something says whose platform this is; null where the platform itself gives the name. */
export type Naming = { readonly brand: string | null }

/**
 * "Wefunder Support" asking for access would be believed to be the platform. So no app and no organization bears its
 * name: not at the beginning, and not taken apart by spaces, marks, or letters of another width. Letters of other
 * scripts that look the same are not seen through here; that is for whoever reviews an app before approving it.
 */
export function refusePlatformName({ brand }: Naming, name: string): void {
  if (brand === null || !folded(name).startsWith(folded(brand))) return
  const message = 'must not begin with the platform’s own name'
  throw validationError([{ field: 'name', code: 'reserved', message }])
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
