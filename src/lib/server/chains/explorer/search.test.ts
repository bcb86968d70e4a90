import { searchFaults } from '#lib/messages/pages/search.ts';
import { describe, expect, it } from 'vitest';
import { readQuery } from './search.ts';

const key = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95';

describe('a search text', () => {
	it('of digits is a height', () => {
		expect(readQuery(' 120 ')).toEqual({ is: 'height', height: 120 });
	});

	it('of digits in groups, as pages show heights, is a height', () => {
		expect(readQuery('4\u202f345\u202f120')).toEqual({ is: 'height', height: 4_345_120 });
	});

	it('of 64 hex digits is a hash, whatever their case', () => {
		for (const text of ['AB'.repeat(32), `0x${'ab'.repeat(32)}`, `${'ab'.repeat(32)}:12`]) {
			expect(readQuery(text)).toEqual({ is: 'hash', hash: 'ab'.repeat(32) });
		}
	});

	it('that is a key leads to its address', () => {
		expect(readQuery(key)).toEqual({
			is: 'pubkey',
			pubkey: key,
			address: 'RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad'
		});
	});

	it('with the form of a key that is no point of the curve says so', () => {
		expect(readQuery(`02${'ff'.repeat(32)}`)).toMatchObject({ is: 'nothing' });
	});

	it('that is an address is one', () => {
		expect(readQuery('RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2')).toEqual({
			is: 'address',
			address: 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'
		});
	});

	it('that is nearly an address names the fault', () => {
		expect(readQuery('RAMvUfoyURBRxAdVeTMHxn3giJZCFWehaa')).toMatchObject({
			is: 'nothing',
			fault: expect.stringContaining('checksum')
		});
	});

	it('of hex with the wrong length is told its length', () => {
		expect(readQuery('ab'.repeat(31))).toEqual({
			is: 'nothing',
			fault: searchFaults.digits(62)
		});
	});

	it('of anything else is a name', () => {
		expect(readQuery('alpha')).toEqual({ is: 'name', name: 'alpha' });
	});

	it('that is empty asks for one', () => {
		expect(readQuery('  ')).toMatchObject({ is: 'nothing' });
	});
});
