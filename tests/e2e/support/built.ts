import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, isBuilt } from '../../../src/start/build.ts';

/** Environment variable with the folder in which workers share what axe found to be clean. */
export const CLEAN_PARTS = 'KOMODECK_TEST_CLEAN_PARTS';

/**
 * Builds the application once before all browser tests if the sources have changed.
 * @returns removes what the workers shared
 */
export default function builtFirst(): () => void {
	if (!isBuilt()) build();
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-clean-parts-'));
	process.env[CLEAN_PARTS] = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
