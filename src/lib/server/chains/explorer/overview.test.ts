import { describe, expect, it } from 'vitest';
import { parseJson } from '#lib/rpc/json.ts';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { glanceOf, type GlanceInfo } from './overview.ts';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const well: GlanceInfo = {
	blocks: 120,
	longestchain: 120,
	tiptime: now / 1000 - 60,
	connections: 3,
	notarized: 100,
	notarizedtxid: 'ab'.repeat(32),
	CCid: 777,
	pubkey: `02${'ab'.repeat(32)}`,
	balance: 150_000_000n,
	KMDversion: '0.9.0',
	synced: true,
	errors: ''
};

describe('a chain at a glance', () => {
	it('has nothing wrong while it is in step', () => {
		expect(glanceOf(well, 2, now)).toMatchObject({
			height: 120,
			mempool: 2,
			notarized: 100,
			balance: 150_000_000n,
			wrong: []
		});
	});

	it('says nothing of what the daemon leaves out', () => {
		const info = decodeTolerantly('getinfo', parseJson('{"name":"ALPHA","blocks":7}'))!;
		expect(glanceOf(info, 0, now)).toMatchObject({
			height: 7,
			tipAt: null,
			peers: null,
			notarized: null,
			longest: null,
			balance: null,
			unknown: [],
			wrong: [{ code: 'no-pubkey' }]
		});
		const untold = '{"name":"ALPHA","blocks":7,"CCid":null,"balance":null,"pubkey":null}';
		expect(glanceOf(decodeTolerantly('getinfo', parseJson(untold))!, 0, now)).toMatchObject({
			unknown: ['ccid', 'pubkey', 'balance'],
			wrong: []
		});
	});

	it('says how many blocks are missing', () => {
		expect(glanceOf({ ...well, longestchain: 140, synced: false }, 0, now).wrong).toEqual([
			{ code: 'behind', blocks: 20 }
		]);
	});

	it('does not take an unknown height of the network for trouble', () => {
		const glance = glanceOf({ ...well, longestchain: 0 }, 0, now);
		expect(glance.longest).toBeNull();
		expect(glance.wrong).toEqual([]);
	});

	it('says when no block came for long', () => {
		expect(glanceOf({ ...well, tiptime: now / 1000 - 3_600 }, 0, now).wrong).toEqual([
			{ code: 'old-tip', minutes: 60 }
		]);
	});

	it('says that a daemon without a pubkey cannot move tokens', () => {
		const { pubkey: _, ...without } = well;
		expect(glanceOf(without, 0, now).wrong).toEqual([{ code: 'no-pubkey' }]);
	});

	it('tells never notarized from unknown, and no wallet from zero', () => {
		const { balance: _, ...without } = well;
		expect(
			glanceOf({ ...without, notarized: 0, notarizedtxid: '0'.repeat(64) }, 0, now)
		).toMatchObject({ notarized: 0, notarizationTxid: null, balance: null });
	});

	it('hands on what the daemon complains about', () => {
		expect(glanceOf({ ...well, errors: 'disk space is low' }, 0, now).wrong).toEqual([
			{ code: 'reported', errors: 'disk space is low' }
		]);
	});
});
