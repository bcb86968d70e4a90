import type { DaemonClient } from '../../../chains/daemon/types.ts';
import { addressHistory, knownTrap } from '../../../chains/daemon/ccAddresses.ts';
import type { MigrationRequest } from '../request.ts';
import type { Checks } from './checks.ts';

/** Checks that the recipient can spend the coins on the destination. */
export async function checkAddress(
	checks: Checks,
	target: DaemonClient,
	request: MigrationRequest,
	pubkeys: readonly string[]
): Promise<void> {
	const trap = knownTrap(request.address, pubkeys);
	if (trap !== null) {
		checks.add('fail', 'address', { code: trap, params: { address: null } }, 'address');
		return;
	}
	const seen = await addressHistory(target, request.address);
	if (seen === 'condition') {
		checks.add(
			'fail',
			'address',
			{ code: 'address.condition', params: { chain: request.destination } },
			'address'
		);
		return;
	}
	const params = { chain: request.destination };
	if (seen === 'person') checks.add('ok', 'address', { code: 'address.known', params });
	else {
		const code = seen === 'unseen' ? 'address.unused' : 'address.not-told';
		checks.add('warn', 'address', { code, params }, 'address');
	}
}
