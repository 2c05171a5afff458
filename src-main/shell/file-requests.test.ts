import { ok } from '@shared/ipc/result'
import { describe, expect, it, vi } from 'vitest'
import type { EventSender } from './event-sender'
import { FileRequests, filesAmong } from './file-requests'
import type { LibraryService } from './library-service'

describe('filesAmong', () => {
  it('takes session files, absolute from where the program was started', () => {
    const argv = ['/usr/bin/electron', '--no-sandbox', '/app', 'a.jsonl', '/b/c.jsonl', '../d.jsonl']
    expect(filesAmong(argv, '/home/u/x')).toEqual(['/home/u/x/a.jsonl', '/b/c.jsonl', '/home/u/d.jsonl'])
  })

  it('leaves the program itself, switches, folders and other files alone', () => {
    expect(filesAmong(['/x.jsonl', '--file=/y.jsonl', '--agent-dir', '/a', '/app', 'z.txt'], '/')).toEqual([])
  })
})

it('opens several files in turn: the last one stays, however long the first takes', async () => {
  let letFirst = (): void => undefined
  const first = new Promise<void>(resolve => {
    letFirst = resolve
  })
  const openFile = async (file: string) => {
    if (file === 'a') await first
    return ok(file)
  }
  const sent: string[] = []
  const send = (_name: string, { session }: { session: string }) => sent.push(session)
  // No more of them is used here.
  const requests = new FileRequests(
    { openFile } as unknown as LibraryService,
    { send } as unknown as EventSender,
  )
  requests.pageReady()
  requests.take(['a', 'b'])
  letFirst()
  await vi.waitFor(() => expect(sent).toEqual(['a', 'b']))
})
