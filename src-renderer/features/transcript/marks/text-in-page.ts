/** The text that an element shows, and ranges in it. */
import type { Wanted } from '../../../stores/find-store'
import { findInText } from './find-in-text'

/** Not part of a text of the session: said to screen readers only, drawn only, or the page's own words. */
const NOT_TEXT = '.u-hidden, [aria-hidden="true"], .tr-code-head, .tr-more'
/** What ends a line: a match never reaches from one into the next. */
const BLOCKS = 'p, li, td, th, pre, h3, h4, h5, h6, blockquote, div, .tr-line'
/** Characters of one text that are looked through while drawing; a longer one is marked only where one is. */
const MOST_CHARS = 400_000

type Run = { node: Text; start: number }

function runsOf(root: Element): { text: string; runs: Run[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node =>
    node instanceof Element
      ? node.matches(NOT_TEXT)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  )
  const runs: Run[] = []
  const parts: string[] = []
  let length = 0
  let block: Element | null = null
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    const own = node.parentElement?.closest(BLOCKS) ?? null
    if (block !== null && own !== block) {
      parts.push('\n')
      length++
    }
    block = own
    runs.push({ node, start: length })
    parts.push(node.data)
    length += node.data.length
  }
  return { text: parts.join(''), runs }
}

/** Index of the run that holds a place. */
function runAt(runs: readonly Run[], at: number): number {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((runs[middle]?.start ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Ranges of all occurrences below an element, in the order of the page. */
export function rangesIn(root: Element, wanted: Wanted, whole: boolean): globalThis.Range[] {
  const { text, runs } = runsOf(root)
  if (!whole && text.length > MOST_CHARS) return []
  const ranges: globalThis.Range[] = []
  for (const [from, to] of findInText(text, wanted)) {
    const first = runs[runAt(runs, from)]
    const last = runs[runAt(runs, to - 1)]
    if (first === undefined || last === undefined) continue
    const range = document.createRange()
    range.setStart(first.node, Math.min(from - first.start, first.node.data.length))
    range.setEnd(last.node, Math.min(to - last.start, last.node.data.length))
    ranges.push(range)
  }
  return ranges
}

/** Scrolls what scrolls between the range and `outer`, which is left to its list. */
export function scrollInside(range: globalThis.Range, outer: Element): void {
  for (
    let element = range.startContainer.parentElement;
    element !== null && element !== outer;
    element = element.parentElement
  ) {
    if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) continue
    const style = getComputedStyle(element)
    if (!/auto|scroll/.test(`${style.overflowX} ${style.overflowY}`)) continue
    const inner = range.getBoundingClientRect()
    const frame = element.getBoundingClientRect()
    if (inner.top < frame.top || inner.bottom > frame.bottom) {
      element.scrollTop += inner.top - frame.top - frame.height / 3
    }
    if (inner.left < frame.left || inner.right > frame.right) {
      element.scrollLeft += inner.left - frame.left - frame.width / 3
    }
  }
}
