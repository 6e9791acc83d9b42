/** constancia/events.py: a class for each event, by its event_type. */
import type { ApiDocument } from '../complete.ts';
import type { Schema } from '../described.ts';
import { importsOf } from './imports.ts';
import { classOf } from './models.ts';
import { pascal, quoted } from './text.ts';

/** What every event has: members of the class Event. */
const COMMON = ['event_id', 'tenant_id', 'module', 'occurred_at'];

export function eventsFile({ webhooks = {}, components }: ApiDocument): string[] {
  const types = Object.keys(webhooks);
  const classes = types.flatMap((type) => {
    const schema = components.schemas[`Event_${type.replaceAll('.', '_')}`] as Schema;
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([name]) => !COMMON.includes(name)),
    );
    const inner: string[][] = [];
    const own = classOf(
      pascal(type),
      { ...schema, properties, required: Object.keys(properties) },
      { open: true, inner },
      'Event',
    );
    // The type of an event is what its class says: no other value.
    const exact = own.map((line) => line.replace(/^( {4}event_type: Literal\[[^\]]*\]) \| str$/, '$1'));
    return [...inner, exact];
  });
  return [
    '"""The events that are delivered to webhook endpoints."""',
    '',
    'from __future__ import annotations',
    '',
    ...importsOf(`${classes.flat().join('\n')}\nDict[`, '.').map((line) =>
      line.replace(/^(from typing import .*)$/, '$1, Type'),
    ),
    ...classes.flatMap((lines) => ['', '', ...lines]),
    '',
    '',
    'EVENT_CLASSES: Dict[str, Type[Event]] = {',
    ...types.map((type) => `    ${quoted(type)}: ${pascal(type)},`),
    '}',
  ];
}
