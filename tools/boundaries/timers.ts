/** The timers of a file that repeat: read by periodic-work.spec.ts in every unit run. */
import ts from 'typescript';

/** A function with a name by which others of its file may call it. */
interface NamedFunction {
  name: string;
  declaredBy: ts.Node;
  node: ts.Node;
}

/**
 * The repeating timers of a source: 'setInterval', and 'setTimeout in <function>' where the callback leads back to the function that sets
 * it, within the file and by name. A loop that awaits a pause is none.
 */
export function repeatingTimers(source: string, isMarkup = false): string[] {
  const kind = isMarkup ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile('source', source, ts.ScriptTarget.Latest, true, kind);
  const functions = namedFunctions(file);
  const names = new Set(functions.map(({ name }) => name));
  const mentions = new Map<string, Set<string>>();
  for (const { name, declaredBy, node } of functions) {
    const mentioned = mentions.get(name) ?? new Set();
    mentions.set(name, new Set([...mentioned, ...namesIn(node, names, declaredBy)]));
  }
  const found: string[] = [];
  visit(file, (node) => {
    if (ts.isStringLiteralLike(node) && /\bsetInterval\(/.test(node.text)) found.push('setInterval');
    if (!ts.isCallExpression(node)) return;
    const called = calledName(node.expression);
    if (called === 'setInterval') found.push('setInterval');
    const [callback] = node.arguments;
    if (called !== 'setTimeout' || callback === undefined) return;
    const setter = functions.filter(({ node: outer }) => contains(outer, node)).at(-1)?.name;
    if (setter !== undefined && reached(namesIn(callback, names), mentions).has(setter))
      found.push(`setTimeout in ${setter}`);
  });
  return found;
}

function namedFunctions(file: ts.SourceFile): NamedFunction[] {
  const found: NamedFunction[] = [];
  visit(file, (node) => {
    const isFunction = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    const holdsFunction =
      (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) &&
      node.initializer !== undefined &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
    if ((isFunction || holdsFunction) && node.name) {
      found.push({ name: node.name.getText(file), declaredBy: node.name, node });
    }
  });
  return found;
}

/** Those of the names that are mentioned in a node, without the name that it declares. */
function namesIn(node: ts.Node, names: ReadonlySet<string>, own?: ts.Node): Set<string> {
  const found = new Set<string>();
  visit(node, (inner) => {
    const isName = ts.isIdentifier(inner) || ts.isPrivateIdentifier(inner);
    if (isName && inner !== own && names.has(inner.text)) found.add(inner.text);
  });
  return found;
}

function reached(first: ReadonlySet<string>, mentions: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const all = new Set(first);
  for (const name of all) for (const next of mentions.get(name) ?? []) all.add(next);
  return all;
}

function calledName(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

const contains = (outer: ts.Node, inner: ts.Node) => outer.pos <= inner.pos && inner.end <= outer.end;

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  node.forEachChild((child) => visit(child, look));
}
