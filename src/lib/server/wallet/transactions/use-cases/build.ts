import { askerOf, parentsOf } from '../../../chains/daemon/lookup.ts';
import { readBuilt, type Review } from '../compare.ts';
import { SendingError } from '../errors.ts';
import { relayVerdict } from '../guards.ts';
import { notBuiltToken } from '../notBuilt.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';

/** Builds with the daemon and hands over the hex with the transactions that it spends. */
export async function built(
	deps: SendingDependencies,
	wallet: Wallet,
	build: () => Promise<{ hex: string }>
) {
	const { gateway } = deps;
	try {
		const { hex } = await build();
		return { hex, parents: await parentsOf(askerOf(gateway, wallet.daemon), readBuilt(hex)) };
	} catch (error) {
		throw notBuiltToken(error);
	}
}

/** What is to be said of the room that a chain gives to a payload. @throws {SendingError} where there is none */
export function relay(wallet: Wallet, review: Review): string[] {
	const { level, sentence } = relayVerdict(
		review.payloadBytes,
		wallet.chain === 'KMD',
		wallet.dataCarrierSize
	);
	if (level === 'refuse' && sentence !== null) {
		throw new SendingError('bad-field', sentence, { field: 'description' });
	}
	return sentence === null ? [] : [sentence];
}
