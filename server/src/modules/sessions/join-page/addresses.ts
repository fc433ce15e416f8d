/** The page on which a person joins; never in a frame. */
export const JOIN_PATH = '/join/:link'
/** The first step of an embedded session, which its origins may show in a frame, and its looks. */
export const FRAME_PATH = '/join/:link/form'
export const STYLE_PATH = '/join/:link/form/theme.css'

export const joinAddress = (link: string): string => JOIN_PATH.replace(':link', encodeURIComponent(link))
export const styleAddress = (link: string): string => STYLE_PATH.replace(':link', encodeURIComponent(link))
