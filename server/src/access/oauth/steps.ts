/** One named step: given what was found before it, it adds what it finds itself, if anything. To reject, it throws. */
type Step<Before, Added> = (found: Before) => Added | Promise<Added>

type With<Before, Added> = Added extends object ? Before & Added : Before

/** What a protocol endpoint does, in order. A step that needs what no earlier one found does not compile. */
export type Steps<In extends object, Found extends object> = {
  readonly names: readonly string[]
  step<Added>(next: Step<Found, Added>): Steps<In, With<Found, Added>>
  run(input: In): Promise<Found>
}

export function inOrder<In extends object>(): Steps<In, In> {
  return listOf([])
}

function listOf<In extends object, Found extends object>(all: readonly Step<never, unknown>[]): Steps<In, Found> {
  return {
    names: all.map(({ name }) => name),
    step: (next) => listOf([...all, next]),
    run: async (input) => {
      const found: object = { ...input }
      for (const step of all) {
        // `step` above has checked that what this one needs was found; the list itself has forgotten the types.
        const added = step(found as never)
        Object.assign(found, added instanceof Promise ? await added : added)
      }
      return found as Found
    },
  }
}
