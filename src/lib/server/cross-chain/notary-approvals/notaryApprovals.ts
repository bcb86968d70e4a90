/** Notary approvals: the published burns, submitting approvals, and approving burns as a notary. */
import { bareText } from '#lib/chain/bareText.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { isHash } from '#lib/chain/idText.ts';
import type { RefusalCode } from '#lib/messages/notary-approvals/given.ts';
import type { WalletProblem } from '#lib/messages/notary-approvals/wallets.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Locks } from '../../wallet/locked-utxos/locks.ts';
import type { Sender } from '../../wallet/transactions/sender.ts';
import type { Migrations } from '../migration/createMigrations.ts';
import { MigrationStore } from '../migration/store.ts';
import type { CrossChainTables } from '../tables.ts';
import type { Approval, ApprovalStore } from './store.ts';
import { buildApproval } from './buildApproval.ts';
import { checkBurn, type BurnCheck } from './check.ts';
import { createGivenLimit, type Giver } from './limits.ts';
import { CLOSED, publicationOf, type Publication } from './publication.ts';
import type { ApprovalStatus } from './tables.ts';
import { notariesAt } from './verify.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Burns on one page of the list and of the feed. */
const BURNS_PER_PAGE = 100;

/** A published burn with its approvals. */
export interface PublishedBurn {
	burn: Publication;
	/** Oldest first. */
	approvals: Approval[];
	/** Number of notaries whose approval is in a block. */
	counted: number;
}

/** One page of the burns that wait for approvals, newest first. */
export interface WaitingBurns {
	burns: PublishedBurn[];
	/** Cursor of the next page; null on the last one. */
	next: string | null;
}

/** Result of submitting a txid. */
type GiveResult =
	| {
			kind: 'kept';
			status: ApprovalStatus;
			notary: string | null;
			counted: number;
			/** The destination. */
			chain: string;
	  }
	| { kind: 'refused'; code: RefusalCode; chain: string; retryAfter: number | null };

/** A daemon of the destination with the wallet of a notary. */
interface NotaryWallet {
	daemon: string;
	/** Compressed key, hex; null until the daemon has reported it. */
	pubkey: string | null;
	/** Why it cannot approve now; null when it can. */
	problem: WalletProblem | null;
}

interface NotaryApprovalParts {
	db: Database<CrossChainTables>;
	locks: Locks;
	gateway: Gateway;
	audit: Audit;
	approvalStore: ApprovalStore;
	migrations: Migrations;
	sender: Sender;
	/** Unix milliseconds. */
	clock?: () => number;
}

export function createNotaryApprovals(parts: NotaryApprovalParts) {
	const { db, locks, gateway, audit, approvalStore, migrations, sender } = parts;
	const store = new MigrationStore({ db, locks, audit, clock: parts.clock });
	const limit = createGivenLimit(db);

	async function withApprovals(burn: Publication): Promise<PublishedBurn> {
		const approvals = await approvalStore.list(burn.burnTxid);
		return { burn, approvals, counted: approvals.filter(({ counts }) => counts).length };
	}

	async function publication(burnTxid: string): Promise<Publication | null> {
		const id = isHash(burnTxid) ? await store.byBurn(burnTxid) : null;
		const migration = id === null ? null : await store.load(id);
		return migration && publicationOf(migration);
	}

	/** Returns a published burn; null when there is none with this id. */
	async function published(burnTxid: string): Promise<PublishedBurn | null> {
		const burn = await publication(burnTxid);
		return burn && withApprovals(burn);
	}

	/** Returns burns that wait for approvals. `after` is the `next` of the previous page. */
	async function waiting(after: string | null = null): Promise<WaitingBurns> {
		const [createdAt = '', id = ''] = (after ?? '').split('.');
		const rows = await store.list({
			state: 'backup-collecting',
			limit: BURNS_PER_PAGE + 1,
			...(/^\d{1,18}$/.test(createdAt) ? { before: { createdAt: BigInt(createdAt), id } } : {})
		});
		const page = rows.slice(0, BURNS_PER_PAGE);
		const last = page.at(-1);
		const burns: PublishedBurn[] = [];
		for (const row of page) {
			const migration = await store.load(row.id);
			const burn = migration && publicationOf(migration);
			if (burn) burns.push(await withApprovals(burn));
		}
		const more = rows.length > BURNS_PER_PAGE;
		return { burns, next: more && last ? `${last.created_at}.${last.id}` : null };
	}

	/** Submits the txid of an approval, without an account. It is looked up on the destination, then stored. */
	async function give(burnTxid: string, typed: string, giver: Giver): Promise<GiveResult> {
		const refuse = (
			code: RefusalCode,
			chain = '',
			retryAfter: number | null = null
		): GiveResult => ({
			kind: 'refused',
			code,
			chain,
			retryAfter
		});
		const txid = bareText(typed).toLowerCase();
		if (!isHash(txid)) return refuse('not-an-id');
		const wait = await limit(giver);
		if (wait !== null) return refuse('throttled', '', wait);
		const burn = await publication(burnTxid);
		if (!burn) return refuse('no-such-burn');
		if (CLOSED.includes(burn.state)) return refuse('closed');
		const given = await approvalStore.give(
			{ burnTxid, daemon: burn.destinationDaemon },
			txid,
			giver.account
		);
		if (given.kind === 'refused') return refuse(given.why, burn.destination);
		const { status, notary, isNew } = given;
		if (isNew && notary !== null) {
			await audit.append({
				actor: giver.account ?? 'visitor',
				action: 'backup.approval-given',
				target: burnTxid,
				detail: { txid, notary, status }
			});
		}
		await migrations.wake(burn.migration);
		const { counted } = await withApprovals(burn);
		return { kind: 'kept', status, notary, counted, chain: burn.destination };
	}

	async function walletOf(
		info: DaemonInfo,
		burn: Publication,
		notaries: ReadonlySet<string>,
		approvals: readonly Approval[]
	): Promise<NotaryWallet> {
		const { id: daemon } = info;
		let pubkey: string | null = null;
		try {
			pubkey = (await daemonClientOf(gateway, daemon).call('getinfo')).pubkey ?? null;
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			return {
				daemon,
				pubkey: info.pubkey,
				problem: { code: 'wallet.offline', params: { daemon } }
			};
		}
		const before = approvals.find(
			({ notary, status }) => notary === pubkey && (status === 'mined' || status === 'pending')
		);
		const { destination: chain } = burn;
		let problem: WalletProblem | null = null;
		if (pubkey === null) problem = { code: 'wallet.no-pubkey', params: { daemon } };
		else if (!notaries.has(addressOfPubkey(pubkey)))
			problem = { code: 'wallet.no-notary', params: { daemon, chain } };
		else if (before) problem = { code: 'wallet.approved', params: {} };
		return { daemon, pubkey, problem };
	}

	/** Returns the notary daemons of the destination, with the problem that prevents each from approving. */
	async function wallets({ burn, approvals }: PublishedBurn): Promise<NotaryWallet[]> {
		const daemons = gateway
			.daemons()
			.filter(({ chain, purposes }) => chain === burn.destination && purposes.includes('notary'));
		let keys: ReadonlySet<string>;
		try {
			keys = new Set(
				(await notariesAt(daemonClientOf(gateway, burn.destinationDaemon), null)).keys()
			);
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			const problem: WalletProblem = {
				code: 'notaries.unknown',
				params: { chain: burn.destination }
			};
			return daemons.map(({ id: daemon, pubkey }) => ({ daemon, pubkey, problem }));
		}
		return Promise.all(daemons.map((info) => walletOf(info, burn, keys, approvals)));
	}

	/** Checks a burn. It may wait for weeks, so the progress of the import search is stored for the next check. */
	const check = (burn: Publication): Promise<BurnCheck> =>
		checkBurn(gateway, burn, (from) => store.scanned(burn.migration, from));

	/**
	 * Checks the burn again, builds the approval with the wallet of a notary, and stores it for review.
	 * @param wantedId id for the review, when it was chosen in advance
	 * @returns the id of the review, or why there is none
	 * @throws {AppError}
	 */
	async function approve(
		found: PublishedBurn,
		daemon: string,
		actor: string,
		wantedId?: string
	): Promise<{ send: string } | { problem: WalletProblem; check: BurnCheck | null }> {
		const { burn } = found;
		const wallet = (await wallets(found)).find((one) => one.daemon === daemon);
		if (!wallet) {
			const params = { daemon, chain: burn.destination };
			return { problem: { code: 'wallet.other', params }, check: null };
		}
		if (wallet.problem !== null) return { problem: wallet.problem, check: null };
		await sender.mayUse(actor, daemon, 'approval');
		const checked = await check(burn);
		if (checked.txOutProof === null) {
			return { problem: { code: 'burn.checks', params: {} }, check: checked };
		}
		const {
			request,
			wallet: own,
			hex,
			review,
			warnings
		} = await buildApproval(gateway, {
			burn,
			txOutProof: checked.txOutProof,
			daemon,
			pubkey: wallet.pubkey ?? ''
		});
		// Recorded before it can be sent, so that it is looked up even after a crash.
		await approvalStore.prepare(
			{ burnTxid: burn.burnTxid, daemon: burn.destinationDaemon },
			{ txid: review.txid, notary: own.pubkey, by: actor }
		);
		return { send: await sender.saveOne(own, { hex, request, review, warnings, wantedId }, actor) };
	}

	/** Looks up an approval that was just sent from here. */
	async function sent(burnTxid: string): Promise<void> {
		const burn = await publication(burnTxid);
		if (burn) await migrations.wake(burn.migration);
	}

	return {
		needed: APPROVALS_NEEDED,
		published,
		waiting,
		give,
		wallets,
		approve,
		sent,
		check
	};
}

export type NotaryApprovals = ReturnType<typeof createNotaryApprovals>;
