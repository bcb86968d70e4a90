import { build, isBuilt } from '../../../src/start/build.ts';

/** Builds the application once before any browser test, where the sources have changed since. */
export default function builtFirst(): void {
	if (!isBuilt()) build();
}
