/** Which recipients count as wallets of this installation, against real daemons. */
import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { createMeasurer } from '#lib/server/access/policy/measuring/measurer.ts';
import type { Purpose } from '#lib/server/platform/config/types.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

test.for<[purposes: Purpose[], isOwn: boolean]>([
	[['read', 'wallet'], true],
	[['notary'], true],
	// Another party may run it, and it reports the key itself, and that its wallet has the key.
	[['read'], false]
])('the key of a daemon for %s counts as own: %s', async ([purposes, isOwn]) => {
	const beta = net.daemons.find(({ id }) => id === 'BETA')!;
	const gateway = gatewayBefore(daemonConfig(beta, { purposes }));
	try {
		await gateway.probe();
		const address = addressOfPubkey(gateway.daemons()[0]?.pubkey ?? '');
		const { own } = await createMeasurer(gateway).ownAmong([address]);
		expect(own.has(address)).toBe(isOwn);
	} finally {
		await gateway.close();
	}
});
