/**
 * Transactions from the request to the block: guard, build, read, keep, send once, find out.
 */
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { bindTo } from '../../platform/bind.ts';
import { USUAL_FINALITY, type FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HeldUtxo, Locks } from '../locked-utxos/locks.ts';
import type { WalletTables } from '../tables.ts';
import { createReconcileAll } from './reconcileAll.ts';
import { createStore, type Send } from './store.ts';
import { OPEN_STATES } from './tables.ts';
import { claimInterest } from './use-cases/claimInterest.ts';
import { createToken } from './use-cases/createToken.ts';
import type { SendingDependencies } from './use-cases/dependencies.ts';
import { discard, discardAllUnapproved, drop } from './use-cases/discard.ts';
import { reconcile, settleUnknown } from './use-cases/reconcile.ts';
import { resend } from './use-cases/handOver.ts';
import { saveOne, savePair } from './use-cases/save.ts';
import { refuseForeign, refuseOverLimit, walletFor } from './use-cases/mayBuild.ts';
import { mergeOutputs } from './use-cases/mergeOutputs.ts';
import { moveToken } from './use-cases/moveToken.ts';
import { hindrance, send } from './use-cases/send.ts';
import { sendCoins } from './use-cases/sendCoins.ts';
import { splitUtxos } from './use-cases/splitUtxos.ts';
import { sendFollowers } from './use-cases/sendFollowers.ts';
import { setDecimals } from './use-cases/setDecimals.ts';
import { walletOf, type Wallet } from './wallet.ts';

interface SenderParts {
	db: Database<WalletTables>;
	locks: Locks;
	/** When a block of a chain is final, for chains that do not follow the usual rule. */
	finality?: ReadonlyMap<string, FinalityRule>;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Rights;
	/** Approvals that reviews wait for. */
	approvals: SendingDependencies['approvals'];
	/** Unix milliseconds. */
	clock?: () => number;
}

/** Puts the use cases together; each says in its own file what it does. */
export function createSender({
	db,
	locks,
	gateway,
	audit,
	rights,
	approvals,
	finality = new Map(),
	clock = Date.now
}: SenderParts) {
	const store = createStore(db, locks);
	const ruleOf = (chain: string): FinalityRule => finality.get(chain) ?? USUAL_FINALITY;
	const [following, discarding] = [new Set<string>(), new Set<string>()];
	const deps: SendingDependencies = {
		db,
		store,
		gateway,
		audit,
		rights,
		approvals,
		ruleOf,
		clock,
		following,
		discarding
	};
	const bound = bindTo(deps);
	const look = bound(reconcile);
	return {
		createToken: bound(createToken),
		moveToken: bound(moveToken),
		sendCoins: bound(sendCoins),
		mergeOutputs: bound(mergeOutputs),
		claimInterest: bound(claimInterest),
		splitUtxos: bound(splitUtxos),
		saveOne: bound(saveOne),
		savePair: bound(savePair),
		send: bound(send),
		hindrance: bound(hindrance),
		sendFollowers: bound(sendFollowers),
		reconcile: look,
		/** Looks after all that is on its way or not deep in the chain; a daemon that is down stops no other. */
		reconcileAll: createReconcileAll({
			store,
			gateway,
			look,
			clock,
			settle: bound(settleUnknown),
			resend: bound(resend)
		}),
		discard: bound(discard),
		drop: bound(drop),
		/** Discards what waited for approvals that will not come. */
		discardUnapproved: bound(discardAllUnapproved),
		/** Whether it waits for approvals that are not there: sending it would only ask for them once more. */
		isUnapproved: approvals.isLacking,
		get: store.get,
		/** Outputs that drafts of a chain keep, each with the draft that has it. */
		heldUtxos: (chain: string): Promise<HeldUtxo[]> => store.heldUtxos(chain, clock()),
		list: store.list,
		/** What goes out after this one; null when nothing does. */
		followerOf: store.followerOf,
		/** Creations from here that the token list of the daemon does not show yet. */
		unconfirmedTokens: (chain: string): Promise<Send[]> =>
			store.list({ chain, kind: 'token-create', states: OPEN_STATES }),
		decimals: store.decimals,
		allDecimals: store.allDecimals,
		setDecimals: bound(setDecimals),
		/** The wallet that pages name beside their forms; of a person, the one with which they build. @throws {AppError} `wallet-daemon`, `transaction` or `work` @throws {AppError} `daemon` */
		wallet: (chain: string, person?: string): Promise<Wallet> =>
			person === undefined ? walletOf(gateway, chain) : walletFor(deps, chain, person),
		/** Before a wallet builds for somebody. @throws {AppError} `work.denied` */
		mayUse: (person: string, daemon: string, act?: string): Promise<void> =>
			refuseForeign(deps, person, daemon, 'not-sent', act),
		/** Before a wallet builds for somebody. @throws {AppError} `limit` */
		mayTake: bound(refuseOverLimit)
	};
}

export type Sender = ReturnType<typeof createSender>;
