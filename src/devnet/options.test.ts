import { describe, expect, test } from 'vitest';
import { OptionsError, readOptions } from './options.ts';

describe('the command line', () => {
	test('needs a folder and a base port', () => {
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
		for (const args of [
			[],
			['--dir', 'd'],
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
