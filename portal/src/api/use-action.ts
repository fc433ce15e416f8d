import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { demandProof } from '../shell/session.tsx'
import { showToast } from '../ui/toast.tsx'
import { ApiFailure, unreachable } from './client.ts'

type Action<Input, Result> = {
  readonly run: (input: Input) => Promise<Result>
  /** Called before the page is read again: a secret that the response shows only once must not be lost with the connection. */
  readonly onResult?: (result: Result) => void
  /** The queries that are read again afterwards. */
  readonly changes: readonly QueryKey[]
  /** Called when the page shows the new state. */
  readonly onDone?: (result: Result) => void | Promise<void>
  /** The text of the toast after that. Without it there is no toast, because a dialog shows the result. */
  readonly done?: string
}

/**
 * A change that the person makes. Where the server asks for a recent proof of identity, the person confirms and the same request
 * is sent again; if they cancel, the server's error is shown.
 */
export function useAction<Input, Result>({ run, onResult, changes, onDone, done }: Action<Input, Result>) {
  const queries = useQueryClient()
  const readAgain = async () => {
    // Any change may complete a first step or resolve a problem on the overview, so the overview is read again in the background.
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
  /** A double click makes one change. Without this check it could make two, because the button is disabled only when it is drawn again.
   * */
  const mutate = (input: Input) => {
    if (isRunning.current) return
    isRunning.current = true
    action.mutate(input)
  }
  return { ...action, mutate }
}
