/** Imports of what a text names. */
export function importsOf(text: string, dots = '..'): string[] {
  const named = (names: string[]) => names.filter((name) => new RegExp(`(?<![."\\w])${name}\\b`).test(text));
  const from = (module: string, names: string[]) =>
    named(names).length > 0 ? [`from ${module} import ${named(names).join(', ')}`] : [];
  const outside = [
    ...(/\bdt\./.test(text) ? ['import datetime as dt'] : []),
    ...from('typing', ['Any', 'Dict', 'List', 'Literal', 'Union']),
  ];
  const pydantic = from('pydantic', ['Field']);
  return [
    ...outside,
    ...(outside.length > 0 ? [''] : []),
    ...pydantic,
    ...(pydantic.length > 0 ? [''] : []),
    ...from(`${dots}_call`, ['Call', 'Download', 'segment']),
    ...from(`${dots}_clients`, ['operation']),
    ...from(`${dots}_models`, ['ClosedModel', 'Event', 'Int', 'Model', 'Number']),
  ];
}
