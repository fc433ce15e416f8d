/**
 * "Aggregates below k people are suppressed." People, and not investments: somebody who invests five times is one. Nobody
 * is fewer than k as well, and is told like that: that nobody was there says something about everybody.
 */
export function enoughPeople(people: ReadonlySet<string>, k: number): boolean {
  return people.size >= k
}
