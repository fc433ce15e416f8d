/**
 * Paths of line drawings on a grid of 16 by 16. Screen readers skip them, because a text next to each icon, or the label of its button,
 * says what the icon means.
 */
const DRAWINGS = {
  activity: 'M1.5 8.500h3l2-5 3 9 2-4h3',
  apps: 'M2.500 2.500h4.500v4.500h-4.500zM9 2.500h4.500v4.500h-4.500zM2.500 9h4.500v4.500h-4.500zM9 9h4.500v4.500h-4.500z',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  bolt: 'M9 1.500 3 9h4l-1 5.500L13 7H8.500z',
  check: 'M3 8.500l3.500 3.500 6.500-8',
  chevron: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  external: 'M6 3H3v10h10v-3M9 3h4v4M13 3 7.500 8.500',
  flask: 'M6 2h4M7 2v4L3 13.500h10L9 6V2',
  gauge: 'M2 12a6 6 0 1 1 12 0M8 12l3-4.500',
  history: 'M2.500 8a5.500 5.500 0 1 0 2-4.200M2.500 2v3h3M8 5v3.500l2.500 1.500',
  home: 'M2 7.500 8 2.500l6 5M4 6.500v7h8v-7',
  key: 'M6 10.500a3 3 0 1 1 0-5 3 3 0 0 1 1 2.500h7v2M11 8v2',
  link: 'M6.500 9.500l3-3M7 5l2-2a2.800 2.800 0 0 1 4 4l-2 2M9 11l-2 2a2.800 2.800 0 0 1-4-4l2-2',
  list: 'M2.500 4h11M2.500 8h11M2.500 12h7',
  menu: 'M2 4h12M2 8h12M2 12h12',
  plug: 'M5.500 2v3.500M10.500 2v3.500M3.500 5.500h9v2a4.500 4.500 0 0 1-9 0zM8 12v2.500',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12a5 5 0 1 1 0-10 5 5 0 0 1 0 10zM10.500 10.500 14 14',
  settings: 'M2 4.500h5M11 4.500h3M9 2.500v4M2 11.500h3M9 11.500h5M7 9.500v4',
  shield: 'M8 1.500 2.500 4v4c0 3 2.500 5.500 5.500 6.500 3-1 5.500-3.500 5.500-6.500V4z',
  sync: 'M2.500 7a5.500 5.500 0 0 1 10-2M13 2v3h-3M13.500 9a5.500 5.500 0 0 1-10 2M3 14v-3h3',
  team: 'M6 7.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M10.500 2.800a2.500 2.500 0 0 1 0 4.400M12 9.800c1.500.5 2.500 1.900 2.500 3.700',
  webhook:
    'M5.500 6.500a3 3 0 1 1 4.300-2.700M6 4.500l-3 6M3 9.500a2.500 2.500 0 1 0 2.500 3h6M11 10a2.500 2.500 0 1 1-.5 4.500M7.500 4.500l3.500 6',
} as const

export type IconName = keyof typeof DRAWINGS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
