import { describe, expect, it } from 'vitest'
import { filesAmong } from './file-requests'

describe('filesAmong', () => {
  it('takes session files, absolute from where the program was started', () => {
    const argv = ['/usr/bin/electron', '--no-sandbox', '/app', 'a.jsonl', '/b/c.jsonl', '../d.jsonl']
    expect(filesAmong(argv, '/home/u/x')).toEqual(['/home/u/x/a.jsonl', '/b/c.jsonl', '/home/u/d.jsonl'])
  })

  it('leaves the program itself, switches, folders and other files alone', () => {
    expect(filesAmong(['/x.jsonl', '--file=/y.jsonl', '--agent-dir', '/a', '/app', 'z.txt'], '/')).toEqual([])
  })
})
