import type { Asker } from '../../../chains/daemon/lookup.ts';
import { addressHistory, historyWarning, knownTrap } from '../ccAddresses.ts';
import type { MigrationRequest } from '../request.ts';
import type { Checks } from './checks.ts';

/** Whether the recipient can have the coins on the destination. */
export async function checkAddress(
	checks: Checks,
	target: Asker,
	request: MigrationRequest,
	pubkeys: readonly string[]
): Promise<void> {
	const trap = knownTrap(request.address, pubkeys);
	if (trap !== null) {
		checks.add('fail', 'address', trap, 'address');
		return;
	}
	const seen = await addressHistory(target, request.address);
	if (seen === 'condition') {
		checks.add(
			'fail',
			'address',
			`On ${request.destination} this address holds tokens or other conditions, not coins of a person: coins paid to it are lost.`,
			'address'
		);
		return;
	}
	const warning = historyWarning(seen, request.destination);
	if (warning === null)
		checks.add('ok', 'address', `The address is known on ${request.destination}.`);
	else checks.add('warn', 'address', warning, 'address');
}
