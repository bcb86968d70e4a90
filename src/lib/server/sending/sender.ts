/**
 * Transactions from the request to the block: guard, build, read, keep, send once, find out.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { daemonSpelling, formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import type { Audit } from '../auth/audit.ts';
import type { Db } from '../db/open.ts';
import { explainUpstream } from '../gateway/explain.ts';
import type { Gateway } from '../gateway/types.ts';
import { stands } from '../guards/stands.ts';
import { LimitError } from '../limits/limits.ts';
import type { Rights } from '../limits/rights.ts';
import { UpstreamError } from '../gateway/types.ts';
import { askerOf, findImport, findTransaction, isInternal, parentsOf } from '../gateway/lookup.ts';
import {
	FEE,
	readBuilt,
	reviewCreate,
	reviewMerge,
	reviewTransfer,
	unsigned,
	type Review
} from './compare.ts';
import { SendingError } from './errors.ts';
import { creationNeeds, migrationOutlook, relayVerdict } from './guards.ts';
import { explainRefusal } from './refusals.ts';
import type { CreateRequest, MergeRequest, SendRequest, TransferRequest } from './request.ts';
import { createSettle } from './settle.ts';
import { createStore, type Change, type NewSend, type Send } from './store.ts';
import { OPEN_STATES, type SendState } from './tables.ts';
import { walletOf, type Wallet } from './wallet.ts';

/** A transaction that a daemon built, read and found to be what was asked for. */
export interface Built {
	hex: string;
	request: SendRequest;
	review: Review;
	warnings: string[];
	/** The id that it gets here, where somebody has written it down before; else a new one. */
	wantedId?: string | undefined;
}

export interface SenderParts {
	db: Db;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left; without it everybody may do everything. */
	rights?: Rights;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** What a look at the network found. */
export type Found = 'sent' | 'mined' | 'absent';

const MAX_DECIMALS = 18;
/** Outputs that one merge spends: the transaction stays far below the size limit. */
const MOST_MERGED = 100;
/** Komodo daemon 0.9.0: cannot be read, an input is missing, a rule is broken. Such a transaction is nowhere. */
const REFUSED_FOR_GOOD: ReadonlySet<number | undefined> = new Set([-22, -25, -26]);

/** States from which a transaction may be sent, by itself or after another one. */
const FROM_HERE: readonly SendState[] = ['built', 'unknown'];
const AFTER_ANOTHER: readonly SendState[] = [...FROM_HERE, 'refused'];

const standingOf = ({ state }: Send): string => (state === 'unknown' ? STILL_UNKNOWN : NOT_SENT);

/** What is known of a transaction when a step towards it fails. */
const NOT_SENT = 'Nothing was sent.';
const STILL_UNKNOWN =
	'It is still not known whether the transaction went out before: do not build another one.';

/** An error of the daemon, or about it, as a sentence that ends with where the transaction stands. */
const inTheWay = (error: unknown, standing: string): unknown => {
	if (error instanceof SendingError && error.code === 'wrong-daemon') {
		return new SendingError('wrong-daemon', `${error.message} ${standing}`, { cause: error });
	}
	if (!(error instanceof UpstreamError)) return error;
	const { what, next } = explainUpstream(error);
	const code = error.code === 'wrong-chain' ? 'wrong-daemon' : 'not-built';
	return new SendingError(code, `${what} ${standing} ${next}`, { cause: error });
};

/** What stopped a build, for people: a `SendingError` where the daemon was in the way, else as it is. */
export const notBuilt = (error: unknown): unknown => inTheWay(error, NOT_SENT);

/**
 * Refusals of the builders in other words. (Komodo daemon 0.9.0: `tokencreate` that cannot sign answers an
 * error without words, and it spends only confirmed coins of the key itself, 64 outputs at most.)
 */
const notBuiltToken = (error: unknown): unknown => {
	if (!(error instanceof UpstreamError) || error.code !== 'soft') return notBuilt(error);
	const words = (error.rpcMessage ?? '').trim();
	if (words === '') return unsigned();
	if (words !== 'cant find normal inputs') return notBuilt(error);
	return new SendingError(
		'bad-field',
		'The wallet has the coins, but the daemon cannot use them now: they wait for a block, belong to another of its keys, or lie in more than 64 small outputs. Wait for the next block, or choose a smaller supply.',
		{ field: 'supply', cause: error }
	);
};

export function createSender({ db, gateway, audit, rights, clock = Date.now }: SenderParts) {
	const store = createStore(db);

	const keep = (
		wallet: Wallet,
		hex: string,
		request: SendRequest,
		review: Review,
		warnings: string[],
		actor: string,
		wantedId?: string
	): Promise<string> => keepAll(wallet, [{ hex, request, review, warnings, wantedId }], actor);

	/** Stores one reviewed transaction, or two of which the second goes out after the first; the first's id. */
	async function keepAll(
		wallet: Wallet,
		built: readonly [Built, Built?],
		actor: string
	): Promise<string> {
		const row = ({ hex, request, review, warnings, wantedId }: Built): NewSend => ({
			kind: request.kind,
			chain: wallet.chain,
			daemon: wallet.daemon,
			pubkey: wallet.pubkey,
			txid: review.txid,
			hex,
			request,
			review,
			warnings,
			createdBy: actor,
			wantedId
		});
		const [first, second] = built;
		await refuseForeign(actor, wallet.daemon, NOT_SENT, first.request.kind);
		const id = await store.add(row(first), clock(), second && row(second));
		for (const { request, review } of second ? [first, second] : [first]) {
			await audit.append({
				actor,
				action: `send.reviewed`,
				target: review.txid,
				detail: { chain: wallet.chain, daemon: wallet.daemon, kind: request.kind }
			});
		}
		return id;
	}

	function relay(wallet: Wallet, review: Review): string[] {
		const { level, sentence } = relayVerdict(
			review.payloadBytes,
			wallet.chain === 'KMD',
			wallet.dataCarrierSize
		);
		if (level === 'refuse' && sentence !== null && stands('payload-room')) {
			throw new SendingError('bad-field', sentence, { field: 'description' });
		}
		return sentence === null ? [] : [sentence];
	}

	/** Builds with the daemon and hands over the hex with the transactions that it spends. */
	async function built(wallet: Wallet, build: () => Promise<{ hex: string }>) {
		try {
			const { hex } = await build();
			return { hex, parents: await parentsOf(askerOf(gateway, wallet.daemon), readBuilt(hex)) };
		} catch (error) {
			throw notBuiltToken(error);
		}
	}

	/**
	 * @param act what is about to be done; without it somebody only asks
	 * @throws {SendingError} `not-yours`
	 */
	async function refuseForeign(
		person: string,
		daemon: string,
		standing: string,
		act?: string
	): Promise<void> {
		const no = (await rights?.walletRefusal(person, daemon, act)) ?? null;
		if (no !== null) throw new SendingError('not-yours', `${no} ${standing}`);
	}

	/** The wallet with which this person builds on a chain. */
	async function walletFor(chain: string, person: string, act?: string): Promise<Wallet> {
		const mine = (await rights?.gatewayOf(person)) ?? gateway;
		const daemon = mine.daemonFor(chain, 'wallet');
		if (daemon) await refuseForeign(person, daemon.id, NOT_SENT, act);
		try {
			return await walletOf(mine, chain);
		} catch (error) {
			throw notBuilt(error);
		}
	}

	async function createToken(
		chain: string,
		request: CreateRequest,
		actor: string,
		warnings: readonly string[] = []
	): Promise<string> {
		const wallet = await walletFor(chain, actor, request.kind);
		const needed = creationNeeds(request.supply);
		if (wallet.balance !== null && wallet.balance < needed) {
			throw new SendingError(
				'bad-field',
				`The wallet has ${formatCoins(wallet.balance)} coins, and ${formatCoins(needed)} are needed: the supply, 0.0001 for the marker and 0.0001 for the fee.`,
				{ field: 'supply' }
			);
		}
		const { name, description, data, supply } = request;
		const amount = stands('nine-decimals') ? daemonSpelling(supply) : formatCoins(supply);
		const { hex, parents } = await built(wallet, () =>
			gateway.call(
				wallet.daemon,
				'tokencreate',
				data === '' ? [name, amount, description] : [name, amount, description, data]
			)
		);
		const review = reviewCreate(hex, request, wallet.pubkey, parents);
		const bytes = new TextEncoder().encode(name + description).length + data.length / 2;
		const outlook = migrationOutlook(data !== '', bytes);
		return keep(
			wallet,
			hex,
			request,
			review,
			[...warnings, ...relay(wallet, review), outlook.sentence],
			actor
		);
	}

	/**
	 * Builds one output out of the wallet's largest ones: a burn takes ten at most. Outputs that another
	 * review keeps are refused when this one is stored.
	 */
	async function mergeOutputs(chain: string, actor: string): Promise<string> {
		const wallet = await walletFor(chain, actor, 'merge');
		const own = addressOfPubkey(wallet.pubkey);
		let picked: { txid: string; vout: number; amount: bigint }[];
		let hex: string;
		try {
			// A daemon runs with any -pubkey, also one whose private key is somebody else's.
			const known = await gateway.call(wallet.daemon, 'validateaddress', [own]);
			if (!('ismine' in known) || !known.ismine) {
				throw new SendingError(
					'wrong-daemon',
					`The key that ${wallet.daemon} was started with (${own}) is not in its wallet: what is merged would belong to somebody else. Nothing was sent. Start it with the public key of one of its wallet's keys.`
				);
			}
			const unspent = await gateway.call(wallet.daemon, 'listunspent', [1]);
			picked = unspent
				.filter(({ spendable }) => spendable)
				.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
				.slice(0, MOST_MERGED);
		} catch (error) {
			throw notBuilt(error);
		}
		const total = picked.reduce((sum, { amount }) => sum + amount, 0n);
		if (picked.length < 2 || total <= FEE) {
			throw new SendingError('not-built', 'The wallet has no outputs that could be merged.');
		}
		try {
			const draft = await gateway.call(wallet.daemon, 'createrawtransaction', [
				picked.map(({ txid, vout }) => ({ txid, vout: new JsonNumber(String(vout)) })),
				{ [own]: new JsonNumber(formatCoins(total - FEE)) }
			]);
			const signed = await gateway.call(wallet.daemon, 'signrawtransaction', [draft]);
			if (!signed.complete) throw unsigned();
			hex = signed.hex;
		} catch (error) {
			throw notBuilt(error);
		}
		const request: MergeRequest = { kind: 'merge', count: picked.length, total };
		const { parents } = await built(wallet, () => Promise.resolve({ hex }));
		const review = reviewMerge(hex, request, wallet.pubkey, parents);
		return keep(wallet, hex, request, review, [], actor);
	}

	async function moveToken(
		chain: string,
		request: TransferRequest,
		actor: string,
		wantedId?: string
	): Promise<string> {
		const wallet = await walletFor(chain, actor, request.kind);
		let data: string;
		let held: bigint;
		try {
			const [info, balance] = await Promise.all([
				gateway.call(wallet.daemon, 'tokeninfo', [request.tokenid]),
				gateway.call(wallet.daemon, 'tokenbalance', [request.tokenid])
			]);
			data = info.data ?? '';
			held = balance.balance;
		} catch (error) {
			throw notBuilt(error);
		}
		if (request.units > held) {
			throw new SendingError(
				'bad-field',
				`The wallet holds ${held} confirmed units of this token. Units that wait for a block cannot be moved yet.`,
				{ field: 'amount' }
			);
		}
		const { hex, parents } = await built(wallet, () =>
			gateway.call(wallet.daemon, 'tokentransfer', [
				request.tokenid,
				request.recipient,
				request.units.toString()
			])
		);
		const review = reviewTransfer(hex, request, data, wallet.pubkey, parents);
		const own =
			request.recipient === wallet.pubkey
				? ['The recipient is this wallet itself: the units stay where they are.']
				: [];
		return keep(wallet, hex, request, review, [...relay(wallet, review), ...own], actor, wantedId);
	}

	/** Looks a transaction up and writes down what was found. @throws {UpstreamError} */
	async function findOut(id: string): Promise<Found> {
		const send = await existing(id);
		const found = await findTransaction(askerOf(gateway, send.daemon), send.txid);
		if (found.where === 'absent') {
			// Blocks that were taken back, or a mempool that was emptied, leave it nowhere.
			await store.move(id, ['sent', 'mined'], { state: 'unknown', height: null });
			return 'absent';
		}
		if (found.where === 'mined') {
			await store.move(id, [...OPEN_STATES, 'refused', 'mined'], {
				state: 'mined',
				refusal: null,
				settledAt: clock(),
				height: found.height
			});
			await store.release(id);
			return 'mined';
		}
		await store.move(id, ['sending', 'unknown', 'refused', 'mined'], {
			state: 'sent',
			refusal: null,
			height: null
		});
		return 'sent';
	}

	async function existing(id: string): Promise<Send> {
		const send = await store.get(id);
		if (!send) throw new SendingError('gone', 'There is no such transaction here.');
		return send;
	}

	/** Writes down how the one call ended. A refusal is believed when the transaction is not to be found, too. */
	async function settleCall(send: Send, error: unknown): Promise<SendState> {
		const { id } = send;
		if (!(error instanceof UpstreamError)) throw error;
		const refused = error.code === 'rpc' || error.code === 'soft';
		if (!refused && error.reached === 'no') {
			// From `unknown` it goes back there: an earlier call may still have been heard.
			await store.move(id, ['sending'], { state: send.state, refusal: send.refusal });
			throw inTheWay(error, standingOf(send));
		}
		await store.move(id, ['sending'], { state: 'unknown' });
		try {
			const found = await findOut(id);
			if (found !== 'absent') return found;
			return refused && !isInternal(error.rpcCode) ? refuse(send, error) : 'unknown';
		} catch (lookup) {
			if (!(lookup instanceof UpstreamError)) throw lookup;
			return refused && REFUSED_FOR_GOOD.has(error.rpcCode) ? refuse(send, error) : 'unknown';
		}
	}

	async function refuse(send: Send, error: UpstreamError): Promise<SendState> {
		await store.move(send.id, ['sending', 'unknown'], {
			state: 'refused',
			refusal: explainRefusal(error),
			settledAt: clock()
		});
		await store.release(send.id);
		return 'refused';
	}

	/** Gives a review up that has not gone out, with what would follow it; false when it was sent. */
	async function giveUp({ id }: Send): Promise<boolean> {
		const change = { state: 'expired', settledAt: clock() } as const;
		if (!(await store.move(id, ['built'], change))) return false;
		await store.release(id);
		const next = await store.followerOf(id);
		if (next) await store.move(next.id, ['built'], change);
		return true;
	}

	async function discard(row: Send, actor: string): Promise<boolean> {
		const moved = await giveUp(row);
		if (moved) await audit.append({ actor, action: 'send.discarded', target: row.id });
		return moved;
	}

	/**
	 * Whether somebody else has imported what this import would: then it must not go out. (Komodo daemon
	 * 0.9.0 does not refuse a second import of one burn, and anybody who sees a source can build one.)
	 * @throws {UpstreamError}
	 */
	async function importedElsewhere(row: Send, before: Send): Promise<string | null> {
		const [input] = readBuilt(row.hex).vin;
		const ask = askerOf(gateway, row.daemon);
		let search = await findImport(ask, input?.txid ?? '', BigInt(before.height ?? 1));
		while (search.found === null && !search.complete) {
			search = await findImport(ask, input?.txid ?? '', search.from);
		}
		const { found } = search;
		return found === null || found.txid === row.txid
			? null
			: `Another import of the same source is on ${row.chain} already: ${found.txid}. Sent again it would create the coins twice.`;
	}

	/**
	 * Writes down that a transaction goes out now, and counts it, both or neither; false when somebody else
	 * was faster.
	 * @throws {SendingError} `limit`
	 */
	async function goesOut(row: Send, sending: Change, actor: string): Promise<boolean> {
		if (!rights) return store.move(row.id, [row.state], sending);
		const weighed = await rights.weigh(actor, row.daemon, row.hex);
		try {
			return await db.transaction().execute(async (trx) => {
				const moved = await store.move(row.id, [row.state], sending, trx);
				if (moved && row.follows === null) await rights.spend(weighed, trx);
				return moved;
			});
		} catch (error) {
			if (error instanceof LimitError)
				throw new SendingError('limit', error.message, { cause: error });
			throw error;
		}
	}

	/**
	 * Sends a reviewed transaction. Only its stored bytes go out, and only for the one caller that moves the
	 * row to `sending`; everybody else learns the state.
	 * @throws {SendingError} when it is too old, or the daemon is another one
	 */
	async function send(id: string, actor: string): Promise<SendState> {
		const row = await existing(id);
		const before = row.follows === null ? null : await existing(row.follows);
		if (before !== null && before.state !== 'mined') {
			throw new SendingError(
				'not-built',
				'It goes out after the transaction before it is in a block. Nothing was sent.'
			);
		}
		// What follows a transaction that is in a block does not grow old: it spends no outputs of its own.
		if (row.state === 'built' && before === null && row.expiresAt <= clock()) {
			await giveUp(row);
			throw new SendingError(
				'gone',
				'This review is older than ten minutes, and its coins may have been spent. Build it again.'
			);
		}
		// The first of a pair has been paid for: a refusal of the second is no reason to leave it at that.
		const open = before === null ? FROM_HERE : AFTER_ANOTHER;
		if (!open.includes(row.state)) return row.state;
		// What follows was confirmed together with the first, and takes nothing of a wallet.
		if (before === null) await refuseForeign(actor, row.daemon, standingOf(row), 'send');
		try {
			await walletOf(gateway, row.chain, row);
			// What may be out already is looked up before it goes out again.
			const isNew = row.state === 'built' || !stands('looked-up-first');
			const found = isNew ? 'absent' : await findOut(id);
			if (found !== 'absent') return found;
			const isFirst = before === null || !stands('imported-once');
			const other = isFirst ? null : await importedElsewhere(row, before);
			if (other !== null) {
				await store.move(id, open, { state: 'refused', refusal: other, settledAt: clock() });
				return 'refused';
			}
		} catch (error) {
			throw inTheWay(error, standingOf(row));
		}
		// Only from the state that was looked at: what became unknown meanwhile was not looked up.
		const sending = { state: 'sending', sentAt: clock(), refusal: null } as const;
		const first = await goesOut(row, sending, actor);
		if (!first && stands('sent-once')) return (await existing(id)).state;
		await audit.append({
			actor,
			action: 'send.sent',
			target: row.txid,
			detail: { chain: row.chain, daemon: row.daemon, kind: row.kind }
		});
		try {
			const txid = await gateway.call(row.daemon, 'sendrawtransaction', [row.hex]);
			if (txid !== row.txid) {
				await store.move(id, ['sending'], { state: 'unknown' });
				throw new SendingError(
					'mismatch',
					`The daemon answered with another txid (${txid}) than the transaction has. Look both up before you go on.`
				);
			}
			await store.move(id, ['sending'], { state: 'sent' });
			return 'sent';
		} catch (error) {
			return settleCall(row, error);
		}
	}

	return {
		/**
		 * Builds, reads and keeps a token creation; returns the id of the review, which shows the warnings, too.
		 * @throws {SendingError}
		 */
		createToken,
		/**
		 * Builds, reads and keeps a transfer or a burn; returns the id of the review, which is `wantedId` where
		 * the caller has written one down before. @throws {SendingError}
		 */
		moveToken,
		/** Keeps a reviewed transaction; returns the id of the review. @throws {SendingError} */
		keepOne: (wallet: Wallet, built: Built, actor: string): Promise<string> =>
			keepAll(wallet, [built], actor),
		/** Keeps a reviewed transaction and one that follows it; returns the id of the first. @throws {SendingError} */
		keepPair: (wallet: Wallet, first: Built, second: Built, actor: string): Promise<string> =>
			keepAll(wallet, [first, second], actor),
		/** What goes out after this one; null when nothing does. */
		followerOf: store.followerOf,
		/**
		 * Sends what was confirmed together with a transaction that is in a block by now. What cannot go out
		 * yet is tried at the next round.
		 */
		async sendFollowers(): Promise<void> {
			for (const { id, createdBy } of await store.dueFollowers()) {
				try {
					await send(id, createdBy);
				} catch (error) {
					if (!(error instanceof SendingError) && !(error instanceof UpstreamError)) throw error;
				}
			}
		},
		/** Builds, reads and keeps a merge of the wallet's outputs; returns the id. @throws {SendingError} */
		mergeOutputs,
		send,
		findOut,
		/** Looks after all that is on its way or not deep in the chain; a daemon that is down stops no other. */
		settle: createSettle({ store, gateway, look: findOut, clock }),
		get: store.get,
		list: store.list,
		/**
		 * Gives a review up, so that its outputs are free again; false when it was sent.
		 * @throws {SendingError} `not-yours`
		 */
		async discard(id: string, actor: string): Promise<boolean> {
			const row = await store.get(id);
			// The second of a pair goes with the first.
			if (row === null || row.follows !== null) return false;
			const { daemon, createdBy: by } = row;
			const work = { kind: 'review', id, by, daemon } as const;
			const no = (await rights?.endRefusal(actor, work, 'discard')) ?? null;
			if (no !== null) throw new SendingError('not-yours', `${no} Nothing was discarded.`);
			return discard(row, actor);
		},
		/** Gives a review up that the console itself built on the way and cannot use. */
		drop: (row: Send): Promise<boolean> => discard(row, 'series'),
		/** Creations from here that the token list of the daemon does not show yet. */
		unconfirmedTokens: (chain: string): Promise<Send[]> =>
			store.list({ chain, kind: 'token-create', states: OPEN_STATES }),
		decimals: store.decimals,
		allDecimals: store.allDecimals,
		/** @throws {SendingError} `bad-field` */
		async setDecimals(
			chain: string,
			tokenid: string,
			decimals: number,
			actor: string
		): Promise<void> {
			if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
				throw new SendingError('bad-field', `Enter a whole number from 0 to ${MAX_DECIMALS}.`, {
					field: 'decimals'
				});
			}
			await store.setDecimals(chain, tokenid, decimals);
			await audit.append({
				actor,
				action: 'token.decimals',
				target: tokenid,
				detail: { chain, decimals }
			});
		},
		/** The wallet that pages name beside their forms; of a person, the one with which they build. @throws {SendingError} @throws {UpstreamError} */
		wallet: (chain: string, person?: string): Promise<Wallet> =>
			person === undefined ? walletOf(gateway, chain) : walletFor(chain, person),
		/** Before a wallet builds for somebody. @throws {SendingError} `not-yours` */
		mayUse: (person: string, daemon: string, act?: string): Promise<void> =>
			refuseForeign(person, daemon, NOT_SENT, act)
	};
}

export type Sender = ReturnType<typeof createSender>;
