import { expect, it } from 'vitest'
import { linkProblem } from './outside-links'

it('opens https and mailto', () => {
  for (const url of ['https://example.com/a?b#c', 'HTTPS://EXAMPLE.COM', 'mailto:a@example.com?subject=x'])
    expect(linkProblem(url)).toBeNull()
})

it('opens nothing else, and says why', () => {
  for (const url of [
    'http://example.com',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'grove-app://window/index.html',
    'grove-data://blob/x/y',
    'ms-msdt:/id',
    'vscode://file/x',
    'ftp://example.com',
    '//example.com',
    'example.com',
    '',
    'https://',
  ])
    expect(linkProblem(url), url).toMatch(/not (opened|an address)/)
})

it('opens no mail that takes a file along, and no address that hides where it leads', () => {
  expect(linkProblem('mailto:a@example.com?attach=/etc/passwd')).toContain('attach a file')
  expect(linkProblem('mailto:a@example.com?subject=x&Attachment=/etc/passwd')).toContain('attach a file')
  expect(linkProblem('https://example.com@evil.example')).toContain('look like another place')
})
