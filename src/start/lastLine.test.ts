import { EventEmitter } from 'node:events';
import { createReadStream } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { holdLastLine } from './lastLine.ts';

describe('an error that nobody caught', () => {
	function line() {
		const events = new EventEmitter();
		const seen = { errors: [] as unknown[], stops: 0 };
		holdLastLine({
			process: events as unknown as NodeJS.Process,
			onError: (error) => seen.errors.push(error),
			stop: () => (seen.stops += 1)
		});
		return { events, seen };
	}

	it('is logged, and ends the process only when a function was left in its middle', async () => {
		const { events, seen } = line();
		const missing = await new Promise<Error>((resolve) => {
			createReadStream('/nowhere/at/all').once('error', resolve);
		});
		events.emit('uncaughtException', missing);
		events.emit('unhandledRejection', new TypeError('nobody waited'));
		expect(seen.stops).toBe(0);
		events.emit('uncaughtException', new TypeError('in the middle'));
		expect(seen.stops).toBe(1);
		expect(seen.errors).toHaveLength(3);
	});
});
