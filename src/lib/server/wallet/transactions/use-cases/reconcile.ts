import {
	daemonClientOf,
	findAnywhere,
	findSeen,
	findTransaction,
	type DaemonClient
} from '../../../chains/daemon/lookup.ts';
import { isFinal } from '../../../platform/config/finality.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { statusOfChain, type ChainStatus } from '../chainStatus.ts';
import { outlookOf } from '../refusedOutlook.ts';
import type { Send } from '../store.ts';
import { OPEN_STATES, UNSENT, type SendState } from '../tables.ts';
import type { SendingDependencies } from './dependencies.ts';

/** What a look at the network found. */
type Found = 'broadcast' | 'confirmed' | 'absent';

/** Written over by what was found only where it was in this state when the look began. */
const OWN_STATES: readonly SendState[] = [...UNSENT, 'confirmed'];

/** A transaction that is here. @throws {AppError} `transaction.unknown` */
export async function existing(deps: SendingDependencies, id: string): Promise<Send> {
	const { store } = deps;
	const send = await store.get(id);
	if (!send) throw new AppError('transaction.unknown');
	return send;
}

/** Whether anything can still come of what was refused. @throws {AppError} `daemon` */
async function watchRefused(
	deps: SendingDependencies,
	send: Send,
	client: DaemonClient,
	chain: ChainStatus
): Promise<void> {
	const { store, ruleOf, clock } = deps;
	if (send.finalAt !== null) return;
	const chainStatus = { ...chain, rule: ruleOf(send.chain) };
	const { spentSince, dead } = await outlookOf(client, send.hex, chainStatus, send.spentSince);
	await store.move(send.id, ['rejected'], {
		state: 'rejected',
		spentSince,
		...(dead === null ? {} : { finalAt: clock() })
	});
}

/**
 * Finds out that nothing can come any more of a transaction whose send got no answer, or that a reorganization left
 * nowhere: nobody has to send it again to learn so, and its UTXOs are free.
 * @returns whether nothing can
 * @throws {AppError} `daemon`
 */
export async function settleUnknown(
	deps: SendingDependencies,
	id: string,
	chain: ChainStatus
): Promise<boolean> {
	const { store, gateway, ruleOf, clock } = deps;
	const send = await existing(deps, id);
	const client = daemonClientOf(gateway, send.daemon);
	const chainStatus = { ...chain, rule: ruleOf(send.chain) };
	const { spentSince, dead } = await outlookOf(client, send.hex, chainStatus, send.spentSince);
	// A block that came since the last look may hold it: then it is what spends its inputs.
	if (dead === null || (await findTransaction(client, send.txid)).where !== 'absent') {
		if (spentSince !== send.spentSince)
			await store.move(id, ['unknown'], { state: 'unknown', spentSince });
		return false;
	}
	const isMine = await store.move(id, ['unknown'], {
		state: 'rejected',
		rejection: { code: 'never.confirmed', params: { why: dead } },
		settledAt: clock(),
		finalAt: clock(),
		spentSince
	});
	if (isMine) await store.release(id);
	return true;
}

/**
 * Looks a transaction up and writes down what was found.
 * @param known where its chain is, when that was asked already
 * @throws {AppError} `daemon`
 */
export async function reconcile(
	deps: SendingDependencies,
	id: string,
	known?: ChainStatus
): Promise<Found> {
	const { store, gateway, ruleOf, clock } = deps;
	const send = await existing(deps, id);
	const client = daemonClientOf(gateway, send.daemon);
	// Of a review nothing was sent from here, but whoever may read its bytes may have: it may stand in any block.
	const { state } = send;
	const found = UNSENT.includes(state)
		? await findAnywhere(client, send.txid)
		: await findSeen(client, send);
	const own = OWN_STATES.includes(state) ? [state] : [];
	if (found.where === 'absent') {
		if (send.state === 'rejected') {
			await watchRefused(deps, send, client, known ?? (await statusOfChain(client)));
			return 'absent';
		}
		// A daemon that reads its chain anew has not come to its block: that says nothing.
		if (send.state === 'confirmed' && send.height !== null) {
			const { tip } = known ?? (await statusOfChain(client));
			if (tip < send.height) return 'absent';
		}
		// Blocks that were taken back, or a mempool that was emptied, leave it nowhere. What went out since the look
		// began was only not there yet.
		if (send.state === 'broadcast' || send.state === 'confirmed') {
			const lost = { state: 'unknown', height: null, settledAt: clock(), finalAt: null } as const;
			await store.move(id, [send.state], lost);
		}
		return 'absent';
	}
	if (found.where === 'mined') {
		const chain = known ?? (await statusOfChain(client));
		const final = isFinal(ruleOf(send.chain), { height: found.height, ...chain });
		await store.move(id, [...OPEN_STATES, 'rejected', 'confirmed', ...own], {
			state: 'confirmed',
			rejection: null,
			settledAt: clock(),
			height: found.height,
			takenAt: clock(),
			finalAt: final ? clock() : null
		});
		if (final) await store.release(id);
		return 'confirmed';
	}
	await store.move(id, ['broadcasting', 'unknown', 'rejected', ...own], {
		state: 'broadcast',
		rejection: null,
		height: null,
		takenAt: clock(),
		finalAt: null
	});
	return 'broadcast';
}
