export { besideBundle } from './beside-bundle.ts';
export { childProgram } from './child-program.ts';
export { ChildNotStarted, ChildPool, ChildPoolBusy } from './child-pool.ts';
export { ChildLost, FramedChild } from './framed-child.ts';
export type { Frame } from './frames.ts';
export { serveParent } from './serve-parent.ts';
export { WATCH_PARENT } from './watch-parent.ts';
