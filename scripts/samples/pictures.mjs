/** The pictures of the samples, drawn pixel by pixel: a sunset, a chart, rings, colour swatches, a dialog. */
import { encodePng } from './png.mjs'

const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t)
const clamp = v => Math.max(0, Math.min(1, v))
/** 1 inside, 0 outside, a soft edge of one pixel between. */
const inside = distance => clamp(0.5 - distance)

/** Layered hills below a low sun. */
export function sunset(width = 320, height = 200) {
  const hills = [
    { base: 0.62, swing: 0.05, period: 47, colour: [176, 92, 104] },
    { base: 0.74, swing: 0.06, period: 31, colour: [112, 62, 92] },
    { base: 0.86, swing: 0.04, period: 23, colour: [52, 38, 66] },
  ]
  return encodePng(width, height, (x, y) => {
    let colour = mix([38, 52, 110], [250, 176, 110], clamp(y / (height * 0.75)))
    colour = mix(
      colour,
      [255, 236, 190],
      inside(Math.hypot(x - width * 0.68, y - height * 0.46) - height * 0.13),
    )
    for (const hill of hills) {
      const top = height * (hill.base + hill.swing * Math.sin(x / hill.period) + 0.02 * Math.sin(x / 9))
      colour = mix(colour, hill.colour, inside(top - y))
    }
    return colour
  })
}

const GREEN = [38, 128, 84]
const RED = [176, 82, 60]

/** A bar chart; `low` and `high` colour the smallest and the largest value. By default: failures, few is good. */
export function chart(values = [11, 9, 12, 10, 11, 3, 0, 0, 0, 0], { low = GREEN, high = RED } = {}) {
  const [width, height] = [320, 200]
  const top = Math.max(...values)
  const slot = (width - 40) / values.length
  return encodePng(width, height, (x, y) => {
    const paper = y % 40 === 0 ? [226, 229, 226] : [250, 251, 250]
    if (x < 20 || x >= width - 20 || y > height - 18)
      return y > height - 18 && y < height - 16 ? [90, 96, 92] : paper
    const at = Math.min(values.length - 1, Math.floor((x - 20) / slot))
    const within = (x - 20) % slot
    const bar = (values[at] / top) * (height - 44)
    const filled = within > 4 && within < slot - 4 && y > height - 18 - bar
    return filled ? mix(low, high, values[at] / top) : paper
  })
}

/** Concentric rings, as a logo sketch. */
export function rings(size = 220, from = [32, 110, 78], to = [150, 205, 140]) {
  const middle = size / 2
  return encodePng(size, size, (x, y) => {
    const r = Math.hypot(x - middle, y - middle)
    if (r > middle - 6) return [247, 248, 246]
    return mix(mix(from, to, r / middle), [255, 255, 255], 0.35 * (0.5 + 0.5 * Math.sin(r / 4)))
  })
}

/** A grid of colour swatches. */
export function swatches(columns = 6, rows = 4, cell = 48) {
  const hue = (h, l) =>
    [0, 8, 4].map(n => {
      const k = (n + h / 30) % 12
      return 255 * (l - 0.42 * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
    })
  return encodePng(columns * cell, rows * cell, (x, y) => {
    if (x % cell < 4 || y % cell < 4) return [255, 255, 255]
    return hue((Math.floor(x / cell) * 360) / columns, 0.25 + (0.6 * Math.floor(y / cell)) / rows)
  })
}

/** A window with a dialog whose button is cut off: the screenshot of a bug. */
export function dialogShot(width = 360, height = 220) {
  const box = (x, y, l, t, r, b) => x >= l && x < r && y >= t && y < b
  return encodePng(width, height, (x, y) => {
    if (box(x, y, 0, 0, width, 22)) return [228, 230, 228]
    if (box(x, y, 240, 172, 320, 210)) return box(x, y, 0, 0, width, 190) ? [36, 128, 84] : [214, 216, 214]
    if (box(x, y, 60, 60, 330, 190)) {
      if (box(x, y, 80, 80, 220, 90)) return [60, 66, 62]
      const line = Math.floor((y - 104) / 16)
      if (y >= 104 && y < 152 && (y - 104) % 16 < 6 && x >= 80 && x < 300 - line * 30) return [176, 180, 177]
      return [255, 255, 255]
    }
    return mix([206, 216, 210], [232, 236, 233], y / height)
  })
}
