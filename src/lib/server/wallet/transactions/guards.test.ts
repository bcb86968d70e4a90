import { warnings } from '#lib/messages/transactions/warnings.ts';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { creationNeeds, migrationOutlook, relayVerdict } from './guards.ts';

describe('whether nodes relay a payload', () => {
	test.each<[number, boolean, number | null, 'ok' | 'warn' | 'refuse']>([
		[208, false, null, 'ok'],
		[209, false, null, 'warn'],
		[140, true, null, 'ok'],
		[141, true, null, 'warn'],
		[208, false, 208, 'ok'],
		[209, false, 208, 'refuse'],
		[100, false, 80, 'refuse'],
		[209, false, 10_001, 'ok'],
		[10_001, false, 10_001, 'ok'],
		[10_001, false, null, 'warn'],
		[10_002, false, null, 'refuse'],
		// A daemon may be told to relay more than a script can hold.
		[10_002, false, 20_000, 'refuse']
	])('%i bytes on the main chain %s with the limit %s: %s', (bytes, isMain, limit, level) => {
		const verdict = relayVerdict(bytes, isMain, limit);
		expect(verdict.level).toBe(level);
	});

	test('a verdict has the size and the limit', () => {
		const refused = (limit: number, every: boolean, bytes: number) => ({
			level: 'refuse',
			fault: { bytes, limit, every }
		});
		expect(relayVerdict(209, false, 208)).toEqual(refused(208, false, 209));
		expect(relayVerdict(10_002, true, null)).toEqual(refused(SCRIPT_BYTES, true, 10_002));
		const usual = DEFAULT_RELAY_BYTES.asset;
		expect(relayVerdict(209, false, null)).toMatchObject({
			warning: { code: 'payload.relay-unknown', params: { bytes: 209, usual } }
		});
	});
});

describe('whether a token could be carried to another chain', () => {
	test('a fungible one cannot', () => {
		expect(migrationOutlook(false, 10)).toMatchObject({ can: false });
	});

	test.each<[number, boolean, string]>([
		[10, true, 'where the network supports'],
		[1980, true, 'where the network supports'],
		[1981, true, 'little room'],
		[3980, true, 'little room'],
		[3981, false, 'too large'],
		[14_000, false, 'too large']
	])('a non-fungible one with %i own bytes: %s', (bytes, can, words) => {
		const outlook = migrationOutlook(true, bytes);
		expect(outlook.can).toBe(can);
		expect(warnings.text(outlook.message)).toContain(words);
	});
});

test('a creation needs the supply, the marker and the fee', () => {
	expect(creationNeeds(115_000_000n)).toBe(115_020_000n);
});
