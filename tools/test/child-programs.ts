import { childProgramsFromSources } from '../build/child-programs.mjs';

// Before each test file: what it tests starts its children from the sources.
childProgramsFromSources();
