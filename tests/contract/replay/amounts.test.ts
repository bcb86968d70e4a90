/**
 * Replays how running daemons of release 0.9.0 parsed amounts and handled self-imports, on a development
 * network with that profile: burns, supplies and payouts must match the recorded ones to the satoshi.
 */
import { beforeAll, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { readRecordings } from './recordings.ts';
import { Stage } from './stage.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() =>
	startDevnet({
		profile: 'daemon-0.9.0',
		young: true,
		dataCarrierSize: 10_001
	})
);
beforeAll(async () => {
	for (const chain of ['ALPHA', 'SELF']) {
		await net.rpc(chain, 'setgenerate', true, 1);
		await net.rpc(chain, 'generate', 62);
	}
});

const mismatchesOf = (stage: Stage): string[] =>
	[...stage.played.values()]
		.filter(({ mismatches }) => mismatches.length > 0)
		.map(({ recording, mismatches }) => `${recording.name}: ${mismatches.join('\n  ')}`);

test('every spelling of an amount is read as the running daemon read it', async () => {
	const recordings = readRecordings('daemon-migration/C1-amounts.json');
	const stage = new Stage(net, recordings);
	for (const name of recordings.keys()) {
		await stage.play(name);
		if (name.includes('_sendraw_')) await stage.mine('ALPHA');
	}
	expect(mismatchesOf(stage)).toEqual([]);
	expect(stage.played.size).toBe(54);
});

test('a self-import is built, waits for nothing but its source, and works once', async () => {
	const stage = new Stage(net, readRecordings('daemon-migration/C4-selfimport.json'));
	await stage.play('093_SELFIMP_selfimport', '094_SELFIMP_selfimport_1_15');
	await stage.play('095_SELFIMP_selfimport_1_15', '096_SELFIMP_selfimport_number');
	await stage.verbatim('097_SELFIMP_decode_source');
	await stage.verbatim('098_SELFIMP_decode_import');
	const source = stage.result('093_SELFIMP_selfimport', 'SourceTxHex');
	const made = stage.result('093_SELFIMP_selfimport', 'ImportTxHex');
	await stage.stage('099_SELFIMP_sendraw_import_before_source', { first: made });
	await stage.stage('100_SELFIMP_sendraw_source', { first: source });
	await stage.stage('101_SELFIMP_sendraw_import_source_in_mempool', { first: made });
	const { height } = await stage.mine('SELF');
	await stage.stage('103_SELFIMP_getimports', { first: String(height) });
	await stage.play('106_SELFIMP_getaddressbalance');
	await stage.stage('107_SELFIMP_sendraw_import_again', { first: made });
	expect(mismatchesOf(stage)).toEqual([]);
});
