import { expect, test } from 'vitest';
import { Checks } from './checks.ts';
import { checkIdentity, type Info, type Side } from './identity.ts';

const side = (CCid: number, dialect: Side['dialect']): Side => ({
	info: { CCid, sapling: 1, blocks: 10 } as Info,
	dialect
});

const found = (source: Side, target: Side, approvals = false): string[] => {
	const checks = new Checks();
	checkIdentity(checks, { source: 'ALPHA', destination: 'BETA', approvals }, source, target);
	return checks.list.filter(({ id }) => id === 'ccid').map(({ message }) => message.code);
};

test('a CCid of 100 is taken where both daemons speak as release 0.9.0 does, and nowhere else', () => {
	expect(found(side(100, 'komodod'), side(100, 'komodod'))).toEqual(['ccid.same']);
	expect(found(side(100, 'seed'), side(100, 'komodod'))).toEqual(['ccid.too-low']);
	expect(found(side(100, 'komodod'), side(100, 'seed'))).toEqual(['ccid.too-low']);
	expect(found(side(101, 'seed'), side(101, 'seed'))).toEqual(['ccid.same']);
	expect(found(side(99, 'komodod'), side(99, 'komodod'))).toEqual(['ccid.too-low']);
});

test('a CCid that notarizations cannot hold is taken for approvals by notaries alone', () => {
	const largest = side(65_535, 'komodod');
	const larger = side(65_536, 'komodod');
	expect(found(largest, largest)).toEqual(['ccid.same']);
	expect(found(larger, larger)).toEqual(['ccid.too-high']);
	expect(found(larger, larger, true)).toEqual(['ccid.same']);
});
