/** Copies a text and says so for a moment. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStores } from '../../../stores/stores-context'

const SAID_MS = 1500

/** `text` is asked for only when the button is pressed. */
export function CopyButton({ label, text }: { label: string; text: () => Promise<string> }) {
  const { client } = useStores()
  const [said, setSaid] = useState(0)
  useEffect(() => {
    if (said === 0) return
    const timer = setTimeout(() => setSaid(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    const result = await client.call('app.copyText', { text: await text() })
    if (result.ok) setSaid(Date.now())
  }
  return (
    <button
      type="button"
      className="tr-icon"
      aria-label={said === 0 ? label : 'Copied'}
      title={said === 0 ? label : 'Copied'}
      onClick={() => void copy()}
    >
      {said === 0 ? <Copy aria-hidden size={14} /> : <Check aria-hidden size={14} />}
    </button>
  )
}
