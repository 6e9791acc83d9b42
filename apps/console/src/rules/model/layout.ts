import type { RuleDefinition } from '@constancia/rule-graph';
import { orderOf } from './rule-edits.ts';

/** Of a node in the drawing, in px. */
export const NODE_SIZE = { width: 230, height: 92 } as const;
const GAP = { x: 40, y: 70 } as const;

/** Where each node stands: below everything that leads to it, those of one level side by side around the middle. */
export function layoutOf(definition: RuleDefinition): Map<string, { x: number; y: number }> {
  const levels = new Map<string, number>();
  const rows: string[][] = [];
  for (const { id } of orderOf(definition)) {
    const before = definition.edges.filter(({ to }) => to === id).map(({ from }) => levels.get(from) ?? -1);
    const level = Math.max(-1, ...before) + 1;
    levels.set(id, level);
    (rows[level] ??= []).push(id);
  }
  const places = new Map<string, { x: number; y: number }>();
  for (const [level, ids] of rows.entries()) {
    for (const [nth, id] of ids.entries()) {
      const x = (nth - (ids.length - 1) / 2) * (NODE_SIZE.width + GAP.x);
      places.set(id, { x, y: level * (NODE_SIZE.height + GAP.y) });
    }
  }
  return places;
}
