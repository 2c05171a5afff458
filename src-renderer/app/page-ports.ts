/** The page as commands see it: regions, focus, width. The only place that looks elements up. */
import { type PagePorts, REGIONS, type Region } from '../commands/context'

/** Below this width (CSS px) one pane shows at a time: 800 x 600, and any window at 200 % zoom. */
export const ONE_PANE_QUERY = '(max-width: 899px)'

const FOCUSABLE =
  'button:not(:disabled), input:not(:disabled), textarea:not(:disabled), a[href], [tabindex]:not([tabindex="-1"])'

function regionElement(region: Region): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-region="${region}"]`)
}

function isRegion(name: string | undefined): name is Region {
  return REGIONS.some(region => region === name)
}

/** Frames to wait for the view that has the field. */
const FILTER_TRIES = 10

function focusFilter(tries: number): void {
  const box = document.querySelector<HTMLInputElement>('[data-filter]')
  if (box) {
    box.focus()
    box.select()
  } else if (tries > 0) requestAnimationFrame(() => focusFilter(tries - 1))
}

export function createPagePorts(): PagePorts {
  const ports: PagePorts = {
    mac: navigator.userAgent.includes('Macintosh'),
    focusFilter: () => focusFilter(FILTER_TRIES),
    focusRegion(region) {
      const element = regionElement(region)
      if (!element) return
      const found = (selector: string) => [...element.querySelectorAll<HTMLElement>(selector)]
      const candidates = [
        ...found('[data-region-focus]'),
        ...found('[aria-current="page"]'),
        // In a session: what the open tab scrolls, rather than the first button of the head.
        ...found('[role="tabpanel"] [tabindex="0"]'),
        ...found(`[role="tabpanel"] :is(${FOCUSABLE})`),
        ...found(FOCUSABLE),
      ]
      candidates.find(candidate => candidate.offsetParent !== null)?.focus()
    },
    currentRegion() {
      const name = document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region
      return isRegion(name) ? name : null
    },
    onePane: () => window.matchMedia(ONE_PANE_QUERY).matches,
  }
  return ports
}
