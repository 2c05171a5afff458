/** An answer that comes when the test says so. */
export type LateAnswer<T> = { answer: Promise<T>; give(value: T): void }

export function lateAnswer<T>(): LateAnswer<T> {
  let give: (value: T) => void = () => undefined
  const answer = new Promise<T>(resolve => {
    give = resolve
  })
  return { answer, give: value => give(value) }
}
