/** The most characters that a text of an anchored pattern may have; Infinity without a bound, undefined where this cannot tell. */
export function longestMatch(source: string): number | undefined {
  if (!source.startsWith('^') || !source.endsWith('$') || source.endsWith('\\$')) return undefined;
  const reader = { source: source.slice(1, -1), at: 0 };
  const longest = sequence(reader); // an anchor belongs to its alternative alone: ^a|b$ is anchored on neither side
  return reader.at === reader.source.length ? longest : undefined;
}

interface Reader {
  source: string;
  at: number;
}

function alternatives(reader: Reader): number | undefined {
  let longest = sequence(reader);
  while (longest !== undefined && reader.source[reader.at] === '|') {
    reader.at += 1;
    const other = sequence(reader);
    longest = other === undefined ? undefined : Math.max(longest, other);
  }
  return longest;
}

function sequence(reader: Reader): number | undefined {
  let length = 0;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] as string)) {
    const one = atom(reader);
    if (one === undefined) return undefined;
    const times = quantifier(reader);
    if (one > 0 && times > 0) length += one * times;
  }
  return length;
}

/** One character, a class of characters, or a group. */
function atom(reader: Reader): number | undefined {
  const { source, at } = reader;
  const group = /^\((\?:|\?=|\?!|(?!\?))/.exec(source.slice(at));
  if (group) return inGroup(reader, group[0]);
  const one = /^(?:\[(?:\\.|[^\]\\])*\]|\\u[0-9a-fA-F]{4}|\\[^bBpPkxc0-9]|[^\\[\](){}*+?^$|])/.exec(source.slice(at));
  if (one === null) return undefined;
  reader.at += one[0].length;
  return 1;
}

function inGroup(reader: Reader, opening: string): number | undefined {
  reader.at += opening.length;
  const inside = alternatives(reader);
  if (reader.source[reader.at] !== ')') return undefined;
  reader.at += 1;
  return /\?[=!]/.test(opening) ? 0 : inside;
}

function quantifier(reader: Reader): number {
  const found = /^(?:[*+?]|\{\d+(,\d*)?\})\??/.exec(reader.source.slice(reader.at))?.[0];
  if (found === undefined) return 1;
  reader.at += found.length;
  if (found.startsWith('?')) return 1;
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(found) ?? [];
  if (least === undefined) return Infinity;
  if (comma === '') return Number(least);
  return most === '' ? Infinity : Number(most);
}
