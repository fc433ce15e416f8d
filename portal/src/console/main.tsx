import '../style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/queries.ts'
import { noticeMissingChunk } from '../shell/missing-chunk.tsx'
import { noticeEndedStaffSession } from './operator.ts'
import { router } from './router.tsx'

noticeMissingChunk()
noticeEndedStaffSession()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no element for the console')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AriaRouter navigate={(to) => void router.navigate({ to })}>
        <RouterProvider router={router} />
      </AriaRouter>
    </QueryClientProvider>
  </StrictMode>,
)
