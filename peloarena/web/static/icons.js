// Small drawings of goods, lands and disasters. Each is recognisable by its shape alone, in grey and small.

import { svg } from "./dom.js";

export const GOODS = ["wood", "stone", "food", "coin", "lux", "pop"];
export const GOOD_WORDS = { wood: "wood", stone: "stone", food: "food", coin: "coins", lux: "luxury", pop: "inhabitants" };

const PATHS = {
  wood: [["rect.wood", { x: 2, y: 8, width: 20, height: 9, rx: 4.5 }], ["ellipse.grain", { cx: 6, cy: 12.500, rx: 3, ry: 4.500 }], ["ellipse.grain2", { cx: 6, cy: 12.500, rx: 1.200, ry: 2 }]],
  stone: [["path.stone", { d: "M3 19 5.500 10 12 5l7 3 2.500 11z" }], ["path.facet", { d: "M12 5l2.500 7 7 7M14.500 12 5.500 10" }]],
  food: [["path.stalk", { d: "M12 22V9" }], ["path.food", { d: "M12 2c3 3 3 6 0 8-3-2-3-5 0-8zM11 9c-1 4-4 5-7 4 0-4 3-6 7-4zm2 0c4-2 7 0 7 4-3 1-6 0-7-4zM11 15c-1 3-4 4-6 3 0-3 3-5 6-3zm2 0c3-2 6 0 6 3-2 1-5 0-6-3z" }]],
  coin: [["circle.coin", { cx: 12, cy: 12, r: 9.500 }], ["path.mint", { d: "M12 6.500v11M9 9.500h4.500a2.200 2.200 0 0 1 0 4.500H9" }]],
  lux: [["path.lux", { d: "M9 2h6v3l-1 2c4 2 5 5 5 8 0 4-3 7-7 7s-7-3-7-7c0-3 1-6 5-8L9 5z" }], ["path.band", { d: "M5.500 13h13M6 16.500h12" }]],
  pop: [["circle.pop", { cx: 12, cy: 6.500, r: 4.500 }], ["path.pop", { d: "M3.500 22c0-6 3.500-9 8.500-9s8.500 3 8.500 9z" }]],
  any: [["rect.any", { x: 3, y: 3, width: 18, height: 18, rx: 4 }], ["path.question", { d: "M9 9.500a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1-1.500 2.400M12 17.500v.8" }]],
  star: [["path.star", { d: "M12 2l3 6.600 7 .8-5.200 4.800 1.500 7.100L12 17.700l-6.300 3.600 1.500-7.100L2 9.400l7-.8z" }]],
  shield: [["path.shield", { d: "M12 2l8 3v6c0 5-3.500 9-8 11-4.500-2-8-6-8-11V5z" }]],
  earthquake: [["path.sign", { d: "M2 15h5l3-9 4 14 3-8h5" }]],
  drought: [["circle.sign", { cx: 12, cy: 12, r: 4.500 }], ["path.sign", { d: "M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2" }]],
  plague: [["path.sign", { d: "M12 3c5 0 8 3 8 7 0 3-1.500 4.500-3 5.500V20H7v-4.500C5.500 14.500 4 13 4 10c0-4 3-7 8-7zM8.500 11h2M13.500 11h2M11 16h2" }]],
  tempest: [["path.sign", { d: "M3 8h12a3 3 0 1 0-3-3M3 13h16a3 3 0 1 1-3 3M3 18h7a2 2 0 1 1-2 2" }]],
  decline: [["path.sign", { d: "M3 5l7 8 4-4 7 10M21 19v-6M21 19h-6" }]],
  blank: [["circle.sign", { cx: 12, cy: 12, r: 8 }]],
};

export function icon(name, words) {
  const parts = (PATHS[name] ?? PATHS.blank).map(([kind, attributes]) => svg(kind, attributes));
  const told = words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" };
  return svg(`svg.icon.i-${name}`, { viewBox: "0 0 24 24", ...told }, ...parts);
}

export function hasIcon(name) { return name in PATHS; }
