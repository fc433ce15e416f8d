import { useRouterState } from '@tanstack/react-router'
import type { App, Mode } from '../api/client.ts'

/** The id of the app in the address. Unlike the router's `useParams`, this hook also works outside of a page. */
export function useAppId(): string | null {
  return useRouterState({
    select: ({ matches }) => {
      const { appId }: { appId?: string } = matches.at(-1)?.params ?? {}
      return appId ?? null
    },
  })
}

/** The mode in the address, or test mode if the address has none. */
export function useMode(): Mode {
  return useRouterState({
    select: ({ matches }) => {
      const { mode }: { mode?: Mode } = matches.at(-1)?.search ?? {}
      return mode ?? 'test'
    },
  })
}

/** The breadcrumbs of every page about an app. */
export const appCrumbs = ({ id, attributes }: App) => [
  { label: 'Apps', to: '/apps' },
  { label: attributes.name, to: `/apps/${id}` },
]
