import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { demandProof } from '../shell/session.tsx'
import { showToast } from '../ui/toast.tsx'
import { ApiFailure, unreachable } from './client.ts'

type Action<Input, Result> = {
  readonly run: (input: Input) => Promise<Result>
  /** Called before the queries are read again. If the connection is lost then, a secret in the response must already be shown. */
  readonly onResult?: (result: Result) => void
  /** The keys of the queries that are read again after the change. */
  readonly changes: readonly QueryKey[]
  /** Called when the page shows the new state. */
  readonly onDone?: (result: Result) => void | Promise<void>
  /** The text of the toast, shown after `onDone`. Undefined if a dialog shows the result. */
  readonly done?: string
}

/**
 * Makes a change for the person. If the server asks for a recent proof of identity, the person gives the proof and the same request is
 * sent again. If they cancel, the page shows the server's error.
 */
export function useAction<Input, Result>({ run, onResult, changes, onDone, done }: Action<Input, Result>) {
  const queries = useQueryClient()
  const readAgain = async () => {
    // Any change may complete one of the first steps that the overview lists, or resolve a problem that it shows. So
    // the overview is read again in the background.
    void queries.invalidateQueries({
      predicate: ({ queryKey: [group, , part] }) => group === 'apps' && part === 'overview',
    })
    await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const isRunning = useRef(false)
  const action = useMutation<Result, Error, Input>({
    mutationFn: async (input) => {
      if (!navigator.onLine) throw unreachable()
      try {
        return await run(input)
      } catch (error) {
        const url = error instanceof ApiFailure ? error.confirmUrl : null
        if (url === null || !(await demandProof(url))) throw error
        return run(input)
      }
    },
    onSuccess: async (result) => {
      onResult?.(result)
      await readAgain()
      await onDone?.(result)
      if (done !== undefined) showToast(done)
    },
    // A rejected change often means that the page is out of date.
    onError: readAgain,
    onSettled: () => {
      isRunning.current = false
    },
  })
  /** Ignores the second click of a double click, because the button is disabled only when React renders it again. */
  const mutate = (input: Input) => {
    if (isRunning.current) return
    isRunning.current = true
    action.mutate(input)
  }
  return { ...action, mutate }
}
