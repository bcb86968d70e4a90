/** What the tests need besides the packages of npm. */
import { ensureChromium } from '../support/chromium.ts';
import { ensureFaketime } from '../support/faketime.ts';
import { ensurePostgres } from '../support/postgres.ts';

/** One sentence for each missing requirement; with `--install` it is installed first. */
export function lacking(): string[] {
	const needs: (() => unknown)[] = [ensureChromium, ensurePostgres];
	// Other systems have no such package; the one test that changes the clock fails there and says so.
	if (process.platform === 'linux') needs.push(ensureFaketime);
	return needs.flatMap((ensure) => {
		try {
			ensure();
			return [];
		} catch (error) {
			return [error instanceof Error ? error.message : String(error)];
		}
	});
}
