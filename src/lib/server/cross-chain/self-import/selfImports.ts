/**
 * Self-import: on a chain started with `ac_import=PUBKEY` the owner of `ac_pubkey` creates coins. Two transactions
 * are built at once, both are reviewed, and one confirmation sends them in order.
 */
import { daemonSpelling } from '#lib/chain/amount.ts';
import { isMainChain } from '#lib/chain/mainChain.ts';
import type { SelfImportNote, SelfImportObstacle } from '#lib/messages/selfImport.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { parentsOf } from '../../chains/daemon/parents.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import type { Rights } from '../../access/rights/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { importModeOf } from '../../chains/health/importMode.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { readBuilt } from '../../wallet/transactions/verifyTransaction.ts';
import { relayVerdict } from '../../wallet/transactions/guards.ts';
import { freeCoins } from '../../wallet/transactions/freeCoins.ts';
import { notBuilt, orNotBuilt } from '../../wallet/transactions/notBuilt.ts';
import type { Sender } from '../../wallet/transactions/sender.ts';
import type { Send } from '../../wallet/transactions/store.ts';
import { walletOf, type Wallet } from '../../wallet/transactions/wallet.ts';
import { addressHistory, knownTrap, walletKeys } from '../../chains/daemon/ccAddresses.ts';
import { issuerGateway } from './issuerGateway.ts';
import { reviewImport, reviewSource, SOURCE_PAYMENT, type Asked } from './verifySelfImport.ts';
import {
	configuredObstacle,
	notesFor,
	otherModeAnswered,
	probe,
	walletObstacle
} from './outlook.ts';

/** Whether a self-import is possible, with the wallet for it. */
type Outlook =
	| { available: true; wallet: Wallet; notes: SelfImportNote[] }
	| { available: false; obstacle: SelfImportObstacle };

/** The two transactions of one self-import. */
export interface Pair {
	source: Send;
	import: Send;
}

const notPossible = (obstacle: SelfImportObstacle): AppError =>
	new AppError('self-import.not-possible', { obstacle });

/** Translates refusals of the builder. (Komodo daemon 0.9.0.) */
function explained(error: unknown, chain: string): unknown {
	if (!isAppError(error, 'daemon')) return error;
	if (error.code === 'daemon.in-band-error') return notPossible(otherModeAnswered(chain));
	switch (refusalCode(error)) {
		case 'migration.no-self-import':
			return notPossible({ code: 'no-imports', params: { chain } });
		case 'migration.self-import-funds':
			return notPossible({ code: 'no-output', params: {} });
		default:
			return notBuilt(error);
	}
}

export function createSelfImports({
	gateway,
	sender,
	rights
}: {
	gateway: Gateway;
	sender: Sender;
	rights: Pick<Rights, 'gatewayOf' | 'walletRefusal'>;
}) {
	const gatewayOf = (chain: string, person: string): Promise<Gateway> =>
		issuerGateway({ gateway, rights }, chain, person);

	/** Examines the daemon and the configuration. @throws {AppError} `daemon` and others */
	async function examine(chain: string, person: string): Promise<Outlook> {
		const mode = importModeOf(gateway, chain);
		const mine = await gatewayOf(chain, person);
		const daemon = mine.daemonFor(chain, 'wallet');
		const no = (obstacle: SelfImportObstacle): Outlook => ({ available: false, obstacle });
		const configured = configuredObstacle(chain, mode);
		if (configured) return no(configured);
		if (!daemon) return no({ code: 'no-wallet', params: { chain } });
		const found = await probe(gateway, daemon);
		if (found) return no(found);
		const wallet = await walletOf(mine, chain);
		const obstacle = walletObstacle(wallet, mode);
		return obstacle ? no(obstacle) : { available: true, wallet, notes: notesFor(wallet, mode) };
	}

	/** Refuses a recipient that could never spend the coins, and returns a warning for an unknown one. */
	async function recipientWarnings(wallet: Wallet, address: string): Promise<Warning[]> {
		const { chain, daemon } = wallet;
		const pubkeys = walletKeys(gateway);
		const trap = knownTrap(address, pubkeys);
		if (trap === 'address.token-module') throw new AppError('self-import.recipient-module');
		if (trap !== null) throw new AppError('self-import.recipient-token-address');
		let seen;
		try {
			seen = await addressHistory(daemonClientOf(gateway, daemon), address);
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			return [{ code: 'address.unknown', params: { daemon, chain } }];
		}
		if (seen === 'condition') {
			throw new AppError('self-import.recipient-condition', { chain });
		}
		if (seen === 'unseen') return [{ code: 'address.unused', params: { chain } }];
		if (seen === 'untold') return [{ code: 'address.not-told', params: { chain } }];
		return [];
	}

	async function built(wallet: Wallet, { address, amount }: Asked) {
		try {
			const { SourceTxHex, ImportTxHex } = await gateway.call(wallet.daemon, 'selfimport', [
				address,
				daemonSpelling(amount)
			]);
			const source = readBuilt(SourceTxHex);
			const parents = await parentsOf(daemonClientOf(gateway, wallet.daemon), source);
			return { sourceHex: SourceTxHex, importHex: ImportTxHex, parents };
		} catch (error) {
			throw explained(error, wallet.chain);
		}
	}

	/**
	 * Examines whether a self-import can be built now; network failures become errors with a message.
	 * @throws {AppError}
	 */
	async function allowed(chain: string, person: string): Promise<Wallet> {
		const outlook = await orNotBuilt(() => examine(chain, person));
		if (!outlook.available) throw notPossible(outlook.obstacle);
		const { wallet } = outlook;
		const balance = await orNotBuilt(() => freeCoins(gateway, wallet));
		const obstacle = walletObstacle({ ...wallet, balance }, importModeOf(gateway, chain));
		if (obstacle) throw notPossible(obstacle);
		return wallet;
	}

	return {
		/** @throws {AppError} `daemon`, and others when the daemon cannot be asked or is the wrong one */
		outlook: examine,

		/** Returns the gateway that selects the wallet with which this member creates coins of a chain. */
		gatewayOf,

		/**
		 * Builds, reviews and stores both transactions. Nothing is sent.
		 * @returns the id of the source's review, which is the id of the self-import
		 * @throws {AppError}
		 */
		async build(chain: string, asked: Asked, actor: string): Promise<string> {
			const wallet = await allowed(chain, actor);
			await sender.mayUse(actor, wallet.daemon, 'self-import');
			const paid = { kind: 'coin-send', amount: SOURCE_PAYMENT } as const;
			await sender.mayTake(actor, chain, [paid], 'amount');
			const warnings = await recipientWarnings(wallet, asked.address);
			const { sourceHex, importHex, parents } = await built(wallet, asked);
			const source = reviewSource(sourceHex, asked, wallet, parents);
			const created = reviewImport(importHex, asked, sourceHex, chain);
			const relay = relayVerdict(created.payloadBytes, isMainChain(chain), wallet.dataCarrierSize);
			if (relay.level === 'refuse') {
				const { bytes, limit } = relay.fault;
				throw new AppError('self-import.not-relayed', { bytes, limit, chain });
			}
			if (relay.level === 'warn') warnings.push(relay.warning);
			return sender.savePair(
				wallet,
				{
					hex: sourceHex,
					request: { kind: 'self-import-source', ...asked },
					review: source,
					warnings
				},
				{
					hex: importHex,
					request: { kind: 'self-import', ...asked },
					review: created,
					warnings: []
				},
				actor
			);
		},

		/** Returns both transactions by the id of the source; null when there is no such self-import. */
		async get(chain: string, id: string): Promise<Pair | null> {
			const source = await sender.get(id);
			if (source?.kind !== 'self-import-source' || source.chain !== chain) return null;
			const second = await sender.followerOf(id);
			return second && { source, import: second };
		},

		/** Returns the newest self-imports of a chain. */
		async list(chain: string, limit: number): Promise<Pair[]> {
			const sources = await sender.list({ chain, kind: 'self-import-source', limit });
			const pairs = await Promise.all(
				sources.map(async (source) => ({ source, second: await sender.followerOf(source.id) }))
			);
			return pairs.flatMap(({ source, second }) => (second ? [{ source, import: second }] : []));
		}
	};
}

export type SelfImports = ReturnType<typeof createSelfImports>;
