import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
	vi.resetModules();
	Reflect.deleteProperty(globalThis, Symbol.for('komodeck.nudge'));
});

test('a part that one build registers is found by another build, which shares no module with it', async () => {
	const entry = await import('./runningParts.ts');
	vi.resetModules();
	const application = await import('./runningParts.ts');
	expect(application.getRunning).not.toBe(entry.getRunning);
	expect(entry.getRunning('nudge')).toBeUndefined();
	const nudge = (): void => undefined;
	application.setRunning('nudge', nudge);
	expect(entry.getRunning('nudge')).toBe(nudge);
	expect(entry.getRunning('rpcApi')).toBeUndefined();
});
