import type { AnyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { App } from '../api/client.ts'

export type NavigationEntry = {
  readonly label: string
  /** Below `/developers`; `$appId` is filled in. */
  readonly to: string
  /** The heading above the entry. Entries of `account` are shown without an app too. */
  readonly group: 'app' | 'build' | 'observe' | 'account'
  /** Place within its group. */
  readonly order: number
  readonly icon: ReactNode
}

export type Command = {
  readonly label: string
  /** Shown at the end of the line: the kind of page that it opens. */
  readonly hint: string
  readonly to: string
  /** More words by which the palette finds it. */
  readonly words?: string
}

/** A kind of record that the palette opens by its id: a person pastes `req_…` from an error and gets to its page. */
export type RecordKind = {
  /** The prefix of the id, without the underscore. */
  readonly prefix: string
  readonly label: string
  /** `$appId` and `$id` are filled in. */
  readonly to: string
}

/** What a section adds to the portal: the default export of its `section.tsx`. */
export type Section = {
  readonly navigation: readonly NavigationEntry[]
  /** Pages about one app; their parent is `appRoute`. */
  readonly appRoutes?: readonly AnyRoute[]
  /** Other pages; their parent is `rootRoute`. */
  readonly routes?: readonly AnyRoute[]
  /** More lines for the palette than the navigation entries, which it lists by itself. */
  readonly commands?: (place: { readonly app: App | null }) => readonly Command[]
  /** Records of an app that have a page. */
  readonly records?: readonly RecordKind[]
}

const found = import.meta.glob<Section>('../*/section.tsx', { eager: true, import: 'section' })

/** Every folder with a `section.tsx` is a section: adding one changes no other file. */
export const sections: readonly Section[] = Object.values(found)

const GROUPS: readonly NavigationEntry['group'][] = ['app', 'build', 'observe', 'account']
export const GROUP_NAMES: Readonly<Record<NavigationEntry['group'], string>> = {
  app: 'App',
  build: 'Build',
  observe: 'Observe',
  account: 'Organization',
}

export type NavigationGroup = {
  readonly group: NavigationEntry['group']
  readonly entries: readonly NavigationEntry[]
}

/** The navigation in its order; without an app only the entries that need none. */
export function navigationGroups(appId: string | null): readonly NavigationGroup[] {
  const entries = sections
    .flatMap(({ navigation }) => navigation)
    .filter(({ to }) => appId !== null || !to.includes('$appId'))
    .map((entry) => ({ ...entry, to: entry.to.replace('$appId', appId ?? '') }))
    .toSorted((a, b) => a.order - b.order)
  return GROUPS.map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) })).filter(
    (group) => group.entries.length > 0,
  )
}
