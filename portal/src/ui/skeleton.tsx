/** Grey lines where the content will be. Screen readers read one word instead. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are equal and never move
        <span key={line} />
      ))}
    </div>
  )
}
