import { Type } from 'typebox'

/** Pictures that hold pixels and nothing else: no script, no link. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** The body of a route that answers with `image/*`: each answer says which kind it is. */
export type Picture = { readonly mediaType: PictureType; readonly bytes: Buffer }

export const PictureBody = Type.Unsafe<Picture>({ description: 'The picture.' })

export function isPicture(body: unknown): body is Picture {
  const { mediaType, bytes } = (body ?? {}) as Partial<Picture>
  return PICTURE_TYPES.some((type) => type === mediaType) && Buffer.isBuffer(bytes)
}
