import type { AnyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { App } from '../api/client.ts'

export type NavigationEntry = {
  readonly label: string
  /** The path below `/developers`. The shell fills in `$appId`. */
  readonly to: string
  /** The group with its heading. Entries of `account` are also shown to a person without an app. */
  readonly group: 'app' | 'build' | 'observe' | 'account'
  /** The position within the group. */
  readonly order: number
  readonly icon: ReactNode
}

export type Command = {
  readonly label: string
  /** The kind of page that the command opens, shown at the end of its line. */
  readonly hint: string
  readonly to: string
  /** More words by which the palette finds the command. */
  readonly words?: string
}

/** A kind of record that the palette opens by id. A person can paste `req_…` from an error and open the page of the request. */
export type RecordKind = {
  /** The prefix of the id, without the underscore. */
  readonly prefix: string
  readonly label: string
  /** The path of the page. The palette fills in `$appId` and `$id`. */
  readonly to: string
}

/** What a section adds to the portal: the export `section` of its `section.tsx`. */
export type Section = {
  readonly navigation: readonly NavigationEntry[]
  /** Pages about one app; their parent is `appRoute`. */
  readonly appRoutes?: readonly AnyRoute[]
  /** Other pages; their parent is `rootRoute`. */
  readonly routes?: readonly AnyRoute[]
  /** More commands for the palette, which already lists the navigation entries. */
  readonly commands?: (place: { readonly app: App | null }) => readonly Command[]
  /** Records of an app that have a page. */
  readonly records?: readonly RecordKind[]
}

const modules = import.meta.glob<Section>('../*/section.tsx', { eager: true, import: 'section' })

/** Every folder with a `section.tsx` is a section, so a new section changes no other file. */
export const sections: readonly Section[] = Object.values(modules)

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

/** The groups of the navigation in their order. Without an app they have only the entries that need no app. */
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
