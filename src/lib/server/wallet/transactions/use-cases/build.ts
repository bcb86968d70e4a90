import { isMainChain } from '#lib/chain/mainChain.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { parentsOf } from '../../../chains/daemon/parents.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { readBuilt, type Review } from '../verifyTransaction.ts';
import { relayVerdict } from '../guards.ts';
import { notBuiltToken } from '../notBuilt.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';

/** Has the daemon build a transaction. Returns its hex with the transactions that it spends. */
export async function built(
	deps: SendingDependencies,
	wallet: Wallet,
	build: () => Promise<{ hex: string }>
) {
	const { gateway } = deps;
	try {
		const { hex } = await build();
		return {
			hex,
			parents: await parentsOf(daemonClientOf(gateway, wallet.daemon), readBuilt(hex))
		};
	} catch (error) {
		throw notBuiltToken(error);
	}
}

/**
 * Returns the warning about relaying the payload, if there is one.
 * @throws {AppError} `transaction.payload-too-large`
 */
export function relay(wallet: Wallet, review: Review): Warning[] {
	const verdict = relayVerdict(
		review.payloadBytes,
		isMainChain(wallet.chain),
		wallet.dataCarrierSize
	);
	if (verdict.level === 'refuse') {
		throw new AppError('transaction.payload-too-large', verdict.fault);
	}
	return verdict.level === 'ok' ? [] : [verdict.warning];
}
