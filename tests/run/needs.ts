/** What the tests need besides the packages of npm. */
import { ensureChromium } from '../support/chromium.ts';
import { ensureFaketime } from '../support/faketime.ts';
import { ensurePostgres } from '../support/postgres.ts';

/** A sentence for each thing that the machine lacks; installs it first where that was asked for. */
export function lacking(): string[] {
	const needs: (() => unknown)[] = [ensureChromium, ensurePostgres];
	// Other systems have no package of it; the one test that turns the clock fails there and says so.
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
