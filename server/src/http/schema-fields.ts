import { Type } from 'typebox'
import type { Picture, StreamedText } from './response-bodies.ts'

/** The schemas of bodies that are not JSON. */
export const PictureBody = Type.Unsafe<Picture>({ description: 'The picture.' })
export const streamedBody = (description: string) => Type.Unsafe<StreamedText>({ type: 'string', description })
