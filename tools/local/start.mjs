/**
 * npm start: the whole system on this machine. This file must parse on any Node that knows ES modules, so that an old one
 * gets a sentence instead of a syntax error: everything newer is behind the import.
 */
var wanted = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    'Constancia needs Node ' +
      wanted.join('.') +
      ' or newer and this is Node ' +
      process.versions.node +
      ': install a newer one (https://nodejs.org) and run "npm start" again.',
  );
  process.exit(1);
} else {
  import('./launch.mjs').then(function (launcher) {
    return launcher.main(process.argv.slice(2));
  });
}
