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
import { UpstreamError } from '../gateway/types.ts';
import { askerOf, findTransaction, parentsOf } from '../gateway/lookup.ts';
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
import { createStore, type Send } from './store.ts';
import { OPEN_STATES, type SendState } from './tables.ts';
import { walletOf, type Wallet } from './wallet.ts';

export interface SenderParts {
	db: Db;
	gateway: Gateway;
	audit: Audit;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** What a look at the network found. */
export type Found = 'sent' | 'mined' | 'absent';

const MAX_DECIMALS = 18;
/** Outputs that one merge spends: the transaction stays far below the size limit. */
const MOST_MERGED = 100;
/** Komodo daemon 0.9.0: "transaction already in block chain". */
const ALREADY_MINED = -27;

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

const notBuilt = (error: unknown): unknown => inTheWay(error, NOT_SENT);

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

export function createSender({ db, gateway, audit, clock = Date.now }: SenderParts) {
	const store = createStore(db);

	async function keep(
		wallet: Wallet,
		hex: string,
		request: SendRequest,
		review: Review,
		warnings: string[],
		actor: string
	): Promise<string> {
		const id = await store.add(
			{
				kind: request.kind,
				chain: wallet.chain,
				daemon: wallet.daemon,
				pubkey: wallet.pubkey,
				txid: review.txid,
				hex,
				request,
				review,
				warnings,
				createdBy: actor
			},
			clock()
		);
		await audit.append({
			actor,
			action: `send.reviewed`,
			target: review.txid,
			detail: { chain: wallet.chain, daemon: wallet.daemon, kind: request.kind }
		});
		return id;
	}

	function relay(wallet: Wallet, review: Review): string[] {
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

	/** Builds with the daemon and hands over the hex with the transactions that it spends. */
	async function built(wallet: Wallet, build: () => Promise<{ hex: string }>) {
		try {
			const { hex } = await build();
			return { hex, parents: await parentsOf(askerOf(gateway, wallet.daemon), readBuilt(hex)) };
		} catch (error) {
			throw notBuiltToken(error);
		}
	}

	async function walletFor(chain: string): Promise<Wallet> {
		try {
			return await walletOf(gateway, chain);
		} catch (error) {
			throw notBuilt(error);
		}
	}

	async function createToken(chain: string, request: CreateRequest, actor: string) {
		const wallet = await walletFor(chain);
		const needed = creationNeeds(request.supply);
		if (wallet.balance !== null && wallet.balance < needed) {
			throw new SendingError(
				'bad-field',
				`The wallet has ${formatCoins(wallet.balance)} coins, and ${formatCoins(needed)} are needed: the supply, 0.0001 for the marker and 0.0001 for the fee.`,
				{ field: 'supply' }
			);
		}
		const { name, description, data, supply } = request;
		const amount = daemonSpelling(supply);
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
		return keep(wallet, hex, request, review, [...relay(wallet, review), outlook.sentence], actor);
	}

	/**
	 * Builds one output out of the wallet's largest ones: a burn takes ten at most. Outputs that another
	 * review keeps are refused when this one is stored.
	 */
	async function mergeOutputs(chain: string, actor: string): Promise<string> {
		const wallet = await walletFor(chain);
		let picked: { txid: string; vout: number; amount: bigint }[];
		let hex: string;
		try {
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
				{ [addressOfPubkey(wallet.pubkey)]: new JsonNumber(formatCoins(total - FEE)) }
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

	async function moveToken(chain: string, request: TransferRequest, actor: string) {
		const wallet = await walletFor(chain);
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
		return keep(wallet, hex, request, review, [...relay(wallet, review), ...own], actor);
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

	/** Writes down how the one call ended. */
	async function settleCall(send: Send, error: unknown): Promise<SendState> {
		const { id } = send;
		if (!(error instanceof UpstreamError)) throw error;
		const refused = error.code === 'rpc' || error.code === 'soft';
		if (refused && error.rpcCode !== ALREADY_MINED) return refuse(send, error);
		if (error.reached === 'no') {
			// From `unknown` it goes back there: an earlier call may still have been heard.
			await store.move(id, ['sending'], { state: send.state });
			throw inTheWay(error, standingOf(send));
		}
		await store.move(id, ['sending'], { state: 'unknown' });
		try {
			const found = await findOut(id);
			if (found !== 'absent') return found;
			// It is in a block, the daemon says, but this one is not: another one has its place.
			return refused ? refuse(send, error) : 'unknown';
		} catch (lookup) {
			if (!(lookup instanceof UpstreamError)) throw lookup;
			return 'unknown';
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

	/**
	 * Sends a reviewed transaction. Only its stored bytes go out, and only for the one caller that moves the
	 * row to `sending`; everybody else learns the state.
	 * @throws {SendingError} when it is too old, or the daemon is another one
	 */
	async function send(id: string, actor: string): Promise<SendState> {
		const row = await existing(id);
		if (row.state === 'built' && row.expiresAt <= clock()) {
			await store.move(id, ['built'], { state: 'expired', settledAt: clock() });
			await store.release(id);
			throw new SendingError(
				'gone',
				'This review is older than ten minutes, and its coins may have been spent. Build it again.'
			);
		}
		if (row.state !== 'built' && row.state !== 'unknown') return row.state;
		try {
			await walletOf(gateway, row.chain, row);
			// What may be out already is looked up before it goes out again.
			const found = row.state === 'unknown' ? await findOut(id) : 'absent';
			if (found !== 'absent') return found;
		} catch (error) {
			throw inTheWay(error, standingOf(row));
		}
		// Only from the state that was looked at: what became unknown meanwhile was not looked up.
		if (!(await store.move(id, [row.state], { state: 'sending', sentAt: clock() }))) {
			return (await existing(id)).state;
		}
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
		/** Builds, reads and keeps a token creation; returns the id of the review. @throws {SendingError} */
		createToken,
		/** Builds, reads and keeps a transfer or a burn; returns the id of the review. @throws {SendingError} */
		moveToken,
		/** Builds, reads and keeps a merge of the wallet's outputs; returns the id. @throws {SendingError} */
		mergeOutputs,
		send,
		findOut,
		/** Looks after all that is on its way or not deep in the chain; a daemon that is down stops no other. */
		settle: createSettle({ store, gateway, look: findOut, clock }),
		get: store.get,
		list: store.list,
		/** Gives a review up, so that its outputs are free again; false when it was sent. */
		async discard(id: string, actor: string): Promise<boolean> {
			const moved = await store.move(id, ['built'], { state: 'expired', settledAt: clock() });
			if (moved) {
				await store.release(id);
				await audit.append({ actor, action: 'send.discarded', target: id });
			}
			return moved;
		},
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
		/** The wallet that pages name beside their forms. @throws {SendingError} @throws {UpstreamError} */
		wallet: (chain: string): Promise<Wallet> => walletOf(gateway, chain)
	};
}

export type Sender = ReturnType<typeof createSender>;
