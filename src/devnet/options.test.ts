import { describe, expect, test } from 'vitest';
import { OptionsError, readOptions } from './options.ts';

describe('the command line', () => {
	test('needs a folder, and takes a base port', () => {
		expect(readOptions(['--dir', 'd', '--base-port', '3100'])).toEqual({
			dir: 'd',
			basePort: 3100,
			profile: 'fast',
			seed: undefined,
			manual: false,
			bare: false,
			young: false,
			dataCarrierSize: undefined
		});
		expect(readOptions(['--dir', 'd']).basePort).toBeUndefined();
		for (const args of [
			[],
			['--base-port', '3100'],
			['--dir', 'd', '--base-port', 'x'],
			['--dir', 'd', '--base-port', '65535'],
			['--dir', 'd', '--base-port', '3100', '--profile', 'none'],
			['--dir', 'd', '--base-port', '3100', '--datacarriersize', 'x'],
			['--dir', 'd', '--base-port', '3100', '--nosuch']
		]) {
			expect(() => readOptions(args)).toThrow(OptionsError);
		}
	});
});
