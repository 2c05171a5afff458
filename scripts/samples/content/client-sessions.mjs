/** Sessions of home, notes, design tokens and the project with a non-Latin name. */
import { shortSession } from './short-session.mjs'

export function addClientSessions(library) {
  const { cwd } = library.projects.get('проект 日本')
  const s = shortSession({ seed: 'cjk', cwd, start: library.ago({ days: 7 }), title: '上传失败的原因' }, [
    { you: '请检查分支切换后的上下文是否正确' },
    { agent: '切换分支后，上下文只包含当前路径上的消息。' },
  ])
  library.session('проект 日本', 'cjk', s, { tags: ['cjk'] })
}
