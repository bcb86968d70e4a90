/**
 * Stands in the place of `src/lib/server/guards/stands.ts` in a test build, and nowhere else. The set belongs
 * to the process: bundle and plain files share it, and `preload.ts` changes it.
 */
const OFF = Symbol.for('komodeck.guards-off');

interface Switches {
	[OFF]?: Set<string>;
}

export function stands(guard: string): boolean {
	return !(globalThis as Switches)[OFF]?.has(guard);
}
