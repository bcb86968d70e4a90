import { build, isBuilt } from '../../../src/start/build.ts';

/** Builds the application once before all browser tests if the sources have changed. */
export default function builtFirst(): void {
	if (!isBuilt()) build();
}
