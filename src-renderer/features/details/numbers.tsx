/** Counts, tokens and cost by model, and what makes the file big. */
import type { SessionDetails } from '@shared/ipc/models/session-models'
import { visibleText } from '@shared/session/text'
import { countOf, formatBytes, formatCost, formatCount } from '../../ui/format'
import { share, sumUsage } from './sums'

export function Counts({ details }: { details: SessionDetails }) {
  const { counts } = details
  const cells: readonly (readonly [string, string])[] = [
    [formatCount(counts.messages), counts.messages === 1 ? 'message' : 'messages'],
    [formatCount(counts.prompts), counts.prompts === 1 ? 'prompt' : 'prompts'],
    [formatCount(counts.toolCalls), counts.toolCalls === 1 ? 'tool call' : 'tool calls'],
    [formatCount(counts.entries), counts.entries === 1 ? 'entry' : 'entries'],
    [formatCount(counts.tips), counts.tips === 1 ? 'branch' : 'branches'],
    [formatCount(counts.compactions), counts.compactions === 1 ? 'compaction' : 'compactions'],
    [formatBytes(details.journalBytes), 'file'],
    [formatBytes(details.artifactBytes), 'artifacts'],
  ]
  return (
    <section className="de-block" aria-label="Counts">
      <h2>Counts</h2>
      <div className="de-cells">
        {cells.map(([value, name]) => (
          <div key={name}>
            <b>{value}</b>
            <span>{name}</span>
          </div>
        ))}
      </div>
    </section>
  )
}

export function Usage({ details }: { details: SessionDetails }) {
  if (details.usage.length === 0) return null
  const sum = sumUsage(details.usage)
  return (
    <section className="de-block" aria-label="Tokens and cost">
      <h2>Tokens and cost</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="de-scroll" tabIndex={0} aria-label="Tokens and cost by model">
        <table className="de-table">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Messages</th>
              <th scope="col">Input</th>
              <th scope="col">Output</th>
              <th scope="col">Cache read</th>
              <th scope="col">Cache write</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {details.usage.map(row => (
              <tr key={row.model}>
                <th scope="row" className="u-text">
                  {visibleText(row.model)}
                </th>
                <td>{formatCount(row.messages)}</td>
                <td>{formatCount(row.input)}</td>
                <td>{formatCount(row.output)}</td>
                <td>{formatCount(row.cacheRead)}</td>
                <td>{formatCount(row.cacheWrite)}</td>
                <td>{row.cost === null ? <span className="u-faint">unknown</span> : formatCost(row.cost)}</td>
              </tr>
            ))}
          </tbody>
          {details.usage.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row">All</th>
                <td>{formatCount(sum.messages)}</td>
                <td>{formatCount(sum.input)}</td>
                <td>{formatCount(sum.output)}</td>
                <td>{formatCount(sum.cacheRead)}</td>
                <td>{formatCount(sum.cacheWrite)}</td>
                <td>{sum.cost === null ? <span className="u-faint">unknown</span> : formatCost(sum.cost)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </section>
      {sum.withoutCost > 0 && (
        <p className="u-muted de-under">{countOf(sum.withoutCost, 'message')} without cost.</p>
      )}
    </section>
  )
}

export function TypeSizes({ details }: { details: SessionDetails }) {
  const types = [...details.types].sort((a, b) => b.bytes - a.bytes)
  const total = types.reduce((sum, type) => sum + type.bytes, 0)
  const largest = types[0]?.bytes ?? 0
  if (types.length === 0) return null
  return (
    <section className="de-block" aria-label="What takes the room">
      <h2>What takes the room</h2>
      <ul className="de-bars">
        {types.map(type => (
          <li key={type.type}>
            <span className="de-bar-name u-text">{visibleText(type.type)}</span>
            <span className="de-bar" aria-hidden>
              <i style={{ width: `${largest === 0 ? 0 : (type.bytes / largest) * 100}%` }} />
            </span>
            <span className="de-bar-size">{formatBytes(type.bytes)}</span>
            <span className="de-bar-count">
              {share(type.bytes, total)}, {countOf(type.count, 'entry', 'entries')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
