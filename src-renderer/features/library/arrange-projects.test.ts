import type { ProjectView } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { ambiguousNames, arrangeProjects } from './arrange-projects'

const project = (ref: string, name: string, lastActivity: number | null, pinned = false): ProjectView => ({
  ref,
  name,
  cwd: `/home/u/${name}`,
  shortCwd: `~/${name}`,
  state: 'present',
  stateReason: null,
  sessions: 1,
  bytes: 1,
  lastActivity,
  pinned,
})
const projects = [
  project('1', 'beta', 3),
  project('2', 'Alpha 10', 1),
  project('3', 'alpha 2', 2),
  project('4', 'zeta', null),
]
const names = (list: ProjectView[]) => list.map(({ name }) => name)

describe('projects', () => {
  it('come by activity, those without a time last', () => {
    expect(names(arrangeProjects(projects, 'activity', [], ''))).toEqual([
      'beta',
      'alpha 2',
      'Alpha 10',
      'zeta',
    ])
  })

  it('come by name, numbers as numbers', () => {
    expect(names(arrangeProjects(projects, 'name', [], ''))).toEqual(['alpha 2', 'Alpha 10', 'beta', 'zeta'])
  })

  it('come pinned first', () => {
    expect(names(arrangeProjects(projects, 'name', ['4'], ''))[0]).toBe('zeta')
  })

  it('are filtered by every word, in name or folder', () => {
    expect(names(arrangeProjects(projects, 'name', [], '~/ALPHA 10'))).toEqual(['Alpha 10'])
    expect(arrangeProjects(projects, 'name', [], 'nothing')).toEqual([])
  })

  it('of one name are told apart', () => {
    expect(ambiguousNames([...projects, project('5', 'beta', 1)])).toEqual(new Set(['beta']))
  })
})
