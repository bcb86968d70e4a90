import { expect, test } from 'vitest';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import { Checks } from './checks.ts';
import { checkNotarizations } from './notarizations.ts';

/** KMD with a notarization of every chain in every other block. */
const kmd: DaemonClient = {
	daemon: 'KMD',
	call: ((_method: string, height: string) =>
		Promise.resolve({
			height: Number(height) - (Number(height) % 2),
			hash: '',
			opreturn: ''
		})) as never,
	identity: () => Promise.reject(new Error('It is not asked.'))
};

async function found(source: string, destination: string, approvals = false) {
	const checks = new Checks();
	await checkNotarizations(checks, kmd, 2_000, { source, destination, approvals });
	return checks.list.map(({ result, message }) => `${result} ${message.code}`);
}

test('chains whose notaries are of different groups exchange nothing but with approvals', async () => {
	const good = ['ok notarized.recently', 'ok notarized.recently'];
	expect(await found('ALPHA', 'BETA')).toEqual(good);
	expect(await found('TXSCLA', 'TXSCLB')).toEqual(good);
	for (const other of ['TXSCLA', 'LABSX', 'CFEKHOUND', 'TESTA']) {
		expect(await found('ALPHA', other)).toEqual(['fail notarized.other-group']);
		expect(await found(other, 'ALPHA')).toEqual(['fail notarized.other-group']);
		expect(await found('ALPHA', other, true)).toEqual(['warn notarized.other-group']);
	}
});
