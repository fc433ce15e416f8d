import { join } from 'node:path'
import { type Asset, styleSheet } from './asset.ts'

let style: Asset | undefined

/** The one style sheet of all pages for people. Read when the first of them is made. */
export function pageStyle(): Asset {
  style ??= styleSheet('/assets', join(import.meta.dirname, 'pages.css'))
  return style
}
