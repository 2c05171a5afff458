/** Changes grouped by the day they were made on, in the order they come in. Pure. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import { daysBetween, formatDate } from '../../ui/format'

export type DayOfChanges = { key: string; day: string; changes: ChangeView[] }

/** Newest first, as they are listed. A clock that was set back makes a day come twice, not in the wrong place. */
export function changesByDay(changes: readonly ChangeView[], now: number): DayOfChanges[] {
  const days: DayOfChanges[] = []
  for (const change of changes) {
    const day = dayOf(change.time, now)
    const last = days.at(-1)
    if (last?.day === day) last.changes.push(change)
    else days.push({ key: `${day} ${change.id}`, day, changes: [change] })
  }
  return days
}

function dayOf(time: number, now: number): string {
  const days = daysBetween(time, now)
  return days === 0 ? 'Today' : days === 1 ? 'Yesterday' : formatDate(time, now)
}
