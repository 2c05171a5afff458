/** The present time, renewed once a minute, so that ages on screen stay true without much work. */
import { useEffect, useState } from 'react'

const MINUTE = 60_000

export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
